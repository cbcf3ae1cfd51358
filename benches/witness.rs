//! Durable cosignatures over HTTP, beside bare transactions of as many rows.
//!
//! Each client has a connection and a log of its own, waits for its answer, and then brings its
//! log's next size with a proof. The floor is SQLite alone, by the same driver into a file beside
//! ours, equally durable: as many rows in transactions of as many as there are clients. The witness
//! also reads and answers HTTP, verifies the logs' signatures and proofs, and signs. The clients run
//! on the same cores.

#![expect(
    clippy::print_stdout,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a bench prints times"
)]

#[path = "disk.rs"]
mod disk;
#[path = "support.rs"]
#[allow(dead_code, reason = "the rows are of two times and a rate")]
mod support;

use std::error::Error;
use std::net::SocketAddr;
use std::path::Path;

use fairdeal::log::{AddCheckpoint, Hash, MemoryLog, SignedCheckpoint, SignerKey, sign_checkpoint};
use fairdeal_witness::{Rate, WitnessOptions, WitnessService, init, serve};
use mimalloc::MiMalloc;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};
use support::{Asked, Outcome, minimum, time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ROUNDS: u32 = 8;
/// Clients, and how many cosignatures each gets in a round.
const LOADS: [(usize, usize); 3] = [(1, 200), (64, 60), (512, 12)];
/// The size at which the logs begin: proofs of some 20 hashes.
const BEGIN: u64 = 300_000;

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A client: its connection, its log's key, and the size that was signed last.
struct Client {
    stream: TcpStream,
    signer: SignerKey,
    size: u64,
}

/// A tree that all logs share, at each of the sizes that they reach: its root, and the proof from
/// the size before.
struct Sizes(Vec<(Hash, Vec<Hash>)>);

impl Sizes {
    fn new(count: usize) -> Fallible<Self> {
        let mut tree = MemoryLog::new();
        for entry in 0..BEGIN {
            tree.append(entry.to_be_bytes());
        }
        let mut all = vec![(tree.root(), Vec::new())];
        for _ in 0..count {
            let old = tree.size();
            tree.append(old.to_be_bytes());
            all.push((tree.root(), tree.consistency_proof(old)?));
        }
        Ok(Self(all))
    }

    /// The request for the size after `old`; the first one for 0.
    fn request(&self, signer: &SignerKey, old: u64) -> Fallible<(Vec<u8>, u64)> {
        let size = if old == 0 { BEGIN } else { old + 1 };
        let place = usize::try_from(size - BEGIN)?;
        let (root, proof) = self.0.get(place).cloned().ok_or("more rounds than sizes")?;
        let note = sign_checkpoint(signer, size, root)?.to_text();
        let checkpoint = SignedCheckpoint::parse(&note)?;
        let body = AddCheckpoint { old_size: old, proof, checkpoint }.to_text();
        let length = body.len();
        let head = "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length:";
        Ok((format!("{head} {length}\r\n\r\n{body}").into_bytes(), size))
    }
}

impl Client {
    async fn new(address: SocketAddr, number: usize) -> Fallible<Self> {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&number.to_be_bytes());
        let signer = SignerKey::from_seed(format!("bench.example/{number}").parse()?, &seed);
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, signer, size: 0 })
    }

    /// Sends each request once the one before is answered.
    async fn ask(mut self, requests: Vec<Vec<u8>>) -> Fallible<Self> {
        let mut answer = vec![0; 4096];
        for request in requests {
            self.stream.write_all(&request).await?;
            let mut length = 0;
            // The line of the cosignature ends the answer.
            while length == 0 || answer.get(length - 1) != Some(&b'\n') {
                let rest = answer.get_mut(length..).ok_or("a long answer")?;
                match self.stream.read(rest).await? {
                    0 => return Err("the connection ended".into()),
                    read => length += read,
                }
            }
            let text = String::from_utf8_lossy(answer.get(..length).unwrap_or_default());
            if !text.starts_with("HTTP/1.1 200 ") {
                return Err(text.into_owned().into());
            }
        }
        Ok(self)
    }
}

/// Rows of the size of ours, and nothing else.
struct Bare {
    connection: SqliteConnection,
    next: u64,
}

impl Bare {
    async fn create(path: &Path) -> Fallible<Self> {
        let mut connection = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .disable_statement_logging()
            .connect()
            .await?;
        let table = "CREATE TABLE log (origin TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID";
        sqlx::query(table).execute(&mut connection).await?;
        Ok(Self { connection, next: 0 })
    }

    /// So many transactions, each of so many rows.
    async fn write(&mut self, transactions: usize, rows: usize) -> Fallible<()> {
        for _ in 0..transactions {
            self.next += 1;
            let value = format!("{:0>250}", self.next);
            let all: Vec<_> =
                (0..rows).map(|row| json!([format!("bench.example/{row}"), value])).collect();
            let mut transaction = self.connection.begin().await?;
            sqlx::query(
                "INSERT OR REPLACE INTO log SELECT value->>0, value->>1 FROM json_each($1)",
            )
            .bind(json!(all).to_string())
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async { tokio::spawn(run()).await })?.map_err(|error| error.to_string().into())
}

async fn run() -> Fallible<()> {
    let asked = Asked::new();
    let rounds = asked.rounds(ROUNDS);
    let dir = disk::folder()?;
    let most = LOADS.map(|(_, each)| each).into_iter().max().unwrap_or_default();
    let sizes = Sizes::new(most * rounds as usize + 1)?;
    println!("witness: us a cosignature, least of {rounds} rounds");
    println!("{:<36}{:>10}{:>10}{:>8}{:>14}", "", "ours", "floor", "ratio", "a second");
    for (clients, each) in LOADS {
        let folder = dir.path().join(format!("{clients}"));
        init(&folder, "witness.example/w1".parse()?, &[9; 32]).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let rate = Rate { second: f64::INFINITY, burst: 1.0 };
        let options = WitnessOptions { rate, ..WitnessOptions::default() };
        let witness = WitnessService::open(&folder, options).await?;
        let reload = witness.reload();
        let (stop, stopped) = oneshot::channel::<()>();
        let router = witness.router();
        let serving = tokio::spawn(serve(witness, vec![(listener, router)], async {
            drop(stopped.await);
        }));
        let mut all = Vec::new();
        for number in 0..clients {
            all.push(Client::new(address, number).await?);
        }
        let keys: Vec<String> = all.iter().map(|one| one.signer.verifier().to_text()).collect();
        std::fs::write(folder.join("logs"), keys.join("\n"))?;
        reload()?;
        let mut bare = Bare::create(&dir.path().join(format!("bare-{clients}"))).await?;
        let (mut ours, mut floor) = (Vec::new(), Vec::new());
        let handle = tokio::runtime::Handle::current();
        for _ in 0..rounds {
            let mut loads = Vec::new();
            for mut client in all.drain(..) {
                let mut requests = Vec::new();
                for _ in 0..each {
                    let (request, size) = sizes.request(&client.signer, client.size)?;
                    client.size = size;
                    requests.push(request);
                }
                loads.push((client, requests));
            }
            let mut loads = Some(loads);
            let mut load = || {
                tokio::task::block_in_place(|| {
                    handle.block_on(async {
                        let mut under_way = JoinSet::new();
                        for (client, requests) in loads.take().unwrap_or_default() {
                            under_way.spawn(client.ask(requests));
                        }
                        under_way.join_all().await
                    })
                })
            };
            let mut done = Vec::new();
            ours.push(time(1, &mut || done = load()));
            all = done.into_iter().collect::<Fallible<_>>()?;
            let mut write =
                || tokio::task::block_in_place(|| handle.block_on(bare.write(each, clients)));
            let mut written = Ok(());
            floor.push(time(1, &mut || written = write()));
            written?;
        }
        let count = (clients * each) as f64;
        let (ours, floor) = (minimum(&ours) / count / 1e3, minimum(&floor) / count / 1e3);
        let name = format!("{clients} clients");
        println!("{name:<36}{ours:>10.1}{floor:>10.1}{:>8.2}{:>14.0}", ours / floor, 1e6 / ours);
        drop((stop, all));
        serving.await??;
    }
    Ok(())
}
