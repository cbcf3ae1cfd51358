//! A way to a server that can be cut: before it answers, amid an answer, or for all at once.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An address that leads to a server, wherever that is at the moment.
pub(super) struct Wire {
    pub(super) address: SocketAddr,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    to: Mutex<Option<SocketAddr>>,
    /// One connection of so many is cut amid an answer; 0 for none.
    cut_one_of: AtomicU64,
    cut: AtomicU64,
    next: AtomicU64,
    open: Mutex<HashMap<u64, [TcpStream; 2]>>,
    has_ended: AtomicBool,
}

impl Wire {
    pub(super) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::<Inner>::default();
        let accepting = Arc::clone(&inner);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if accepting.has_ended.load(Ordering::Relaxed) {
                    return;
                }
                let inner = Arc::clone(&accepting);
                std::thread::spawn(move || inner.carry(client));
            }
        });
        Self { address, inner }
    }

    /// Leads to this server from now on. `None`: connections are closed at once, those that are
    /// open too.
    pub(super) fn lead_to(&self, server: Option<SocketAddr>) {
        *self.inner.to.lock().unwrap() = server;
        if server.is_none() {
            for both in self.inner.open.lock().unwrap().values() {
                close(both);
            }
        }
    }

    /// Cuts one connection of so many after a random number of bytes; 0 for none.
    pub(super) fn cut_one_of(&self, count: u64) {
        self.inner.cut_one_of.store(count, Ordering::Relaxed);
    }

    /// How many connections were cut amid an answer.
    pub(super) fn cut(&self) -> u64 {
        self.inner.cut.load(Ordering::Relaxed)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.lead_to(None);
        self.inner.has_ended.store(true, Ordering::Relaxed);
        drop(TcpStream::connect_timeout(&self.address, Duration::from_secs(1)));
    }
}

fn close(both: &[TcpStream; 2]) {
    for one in both {
        let _gone_already = one.shutdown(Shutdown::Both);
    }
}

/// A number that nobody foresees, and that is the same for the same number.
pub(super) fn scattered(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

impl Inner {
    fn carry(&self, client: TcpStream) {
        let Some(to) = *self.to.lock().unwrap() else { return };
        let Ok(server) = TcpStream::connect(to) else { return };
        let _quick = [client.set_nodelay(true), server.set_nodelay(true)];
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (Ok(asking), Ok(asked)) = (client.try_clone(), server.try_clone()) else { return };
        let (Ok(ours), Ok(theirs)) = (client.try_clone(), server.try_clone()) else { return };
        self.open.lock().unwrap().insert(number, [ours, theirs]);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let _ended = std::io::copy(&mut &asking, &mut &asked);
                close(&[asking, asked]);
            });
            self.answer(number, &client, &server);
            close(&[client, server]);
        });
        self.open.lock().unwrap().remove(&number);
    }

    /// Passes on what the server says, as far as it may.
    fn answer(&self, number: u64, mut client: &TcpStream, mut server: &TcpStream) {
        let mut bytes = [0; 16 * 1024];
        let mut left = None;
        loop {
            let Ok(count @ 1..) = server.read(&mut bytes) else { return };
            let one_of = self.cut_one_of.load(Ordering::Relaxed);
            if one_of > 0 && left.is_none() && scattered(number).is_multiple_of(one_of) {
                // Where an answer ends is not known here: some of these pass whole, and the next
                // one is cut.
                left = Some(usize::try_from(scattered(number + 1) & 0x1fff).unwrap());
            }
            let passed = left.map_or(count, |left| left.min(count));
            if client.write_all(&bytes[..passed]).is_err() {
                return;
            }
            if let Some(left) = &mut left {
                *left -= passed;
                if passed < count {
                    self.cut.fetch_add(1, Ordering::Relaxed);
                    return;
                }
            }
        }
    }
}
