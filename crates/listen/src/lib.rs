//! Connections: as many as the limits allow, each with bounded headers, and a stop that lets
//! answers end.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::Sleep;

/// The limits of the connections on one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections that are open at once.
    pub connections: usize,
    /// Bytes of a request's line and headers; at least 8 KiB.
    pub header: usize,
    /// The time within which the headers must have come.
    pub header_time: Duration,
    /// How long a client may read nothing of its answer.
    pub write_time: Duration,
    /// How long a stop waits for answers under way.
    pub stop: Duration,
}

/// How long to wait after the system had no socket left.
const PAUSE: Duration = Duration::from_millis(50);

/// For who comes when all connections are taken.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n\
Content-Type: application/problem+json\r\nContent-Length: 147\r\n\r\n\
{\"type\":\"urn:fairdeal:problem:too-many-connections\",\"title\":\"too many connections\",\"status\":503,\
\"detail\":\"ask again\",\"code\":\"too-many-connections\"}";

/// Answers on one address until `stopping` is true; then finishes what is under way. Calls
/// `refused` for each connection that finds all taken.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    refused: impl Fn(),
    mut stopping: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // One connection that ended early, or no descriptor left: the next may be fine.
                if !matches!(
                    error.kind(),
                    io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
                ) {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&room).try_acquire_owned() else {
            refused();
            refuse(stream);
            continue;
        };
        // An answer is one packet or few: it does not wait for more.
        let _best_effort = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(limits.header_time)
            .max_buf_size(limits.header);
        let connection = open.watch(
            builder
                .serve_connection(TokioIo::new(Patient::new(stream, limits.write_time)), service),
        );
        tokio::spawn(async move {
            // A client that broke off is no news.
            let _ended = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.stop, open.shutdown()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// A stream whose writes fail when the other side reads nothing for a while: otherwise it would
/// keep its connection.
struct Patient {
    stream: TcpStream,
    most: Duration,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, most: Duration) -> Self {
        Self { stream, most, waiting: None }
    }

    /// Passes a write's state on, or ends one that waited too long.
    fn bounded<T>(
        &mut self,
        cx: &mut Context<'_>,
        state: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if state.is_ready() {
            self.waiting = None;
            return state;
        }
        let most = self.most;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
        waiting.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        let state = Pin::new(&mut self.stream).poll_write(cx, from);
        self.bounded(cx, state)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let state = Pin::new(&mut self.stream).poll_write_vectored(cx, from);
        self.bounded(cx, state)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let state = Pin::new(&mut self.stream).poll_flush(cx);
        self.bounded(cx, state)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Says that there is no room, without waiting for who does not listen.
fn refuse(mut stream: TcpStream) {
    tokio::spawn(async move {
        let _told = tokio::time::timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
    });
}

#[cfg(test)]
mod tests {
    use super::FULL;

    #[test]
    fn the_refusal_has_the_length_that_it_names() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{}", body.len());
        serde_json::from_str::<serde_json::Value>(body).unwrap();
    }
}
