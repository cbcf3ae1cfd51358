//! A disk that is full: one node whose ledger is on a small one, or only its published files.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::log::{TilePath, tiles, verify_checkpoint};
use serde_json::{Value, json};

use super::clients::{Client, Over, World, until};
use super::node::{Process, within};
use super::told::Told;
use super::wire::Wire;
use super::witnessed::Scene;
use super::{audits, checker};

/// A disk of its own, and ballast on it that goes when the process is told so.
const ON_A_SMALL_DISK: &str = r#"mount -t tmpfs -o size=9000k,mode=700 tmpfs "$1" && cd "$1" || exit
"$0" init ledger --origin cards.example/log >&2 && "$0" log-key --ledger ledger || exit
"$0" token add load --json --ledger ledger || exit
free=$(df --output=avail -B1 . | tail -1)
head -c $((free - 800000)) /dev/zero >ballast
exec 3<&0
(read -r line <&3 && rm ballast) &
exec "$0" serve ledger --listen 127.0.0.1:0 --log-format json --publish-wait 1s --max-lag 2s"#;

#[test]
fn a_node_on_a_full_disk_refuses_and_goes_on_when_there_is_space_again() {
    let home = tempfile::tempdir().unwrap();
    let (disk, log) = (home.path().join("disk"), home.path().join("log"));
    std::fs::create_dir(&disk).unwrap();
    let mut shell = within("unshare", &[]);
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK]);
    shell
        .arg(env!("CARGO_BIN_EXE_fairdeal"))
        .arg(&disk)
        .stderr(std::fs::File::create(&log).unwrap());
    let (mut node, said) = Process::start(&mut shell, 3)
        .unwrap_or_else(|| panic!("{}", std::fs::read_to_string(&log).unwrap()));
    let added: Value = serde_json::from_str(&said[1]).unwrap();
    let wire = Wire::new();
    wire.lead_to(Some(said[2].strip_prefix("listening on http://").unwrap().parse().unwrap()));
    let world = World {
        nodes: vec![wire.address],
        token: added["token"].as_str().unwrap().to_owned(),
        told: Told::new(said[0].parse().unwrap()),
        ready: vec![AtomicBool::new(false)],
        followed: vec![AtomicU64::new(0)],
        is_over: AtomicBool::new(false),
        is_closed: AtomicBool::new(false),
    };
    let tables = [Client::new(&world, 0).make_table("main", json!({"rounds": 100_000}))];
    let refused = || world.told.figure("retries, 503");
    let dealt = || world.told.figure("receipts verified");
    std::thread::scope(|scope| {
        let over = Over(&world);
        for number in 0..4 {
            let (world, tables) = (&world, &tables);
            scope.spawn(move || Client::new(world, 0).deal(&format!("dealer {number}"), tables));
        }
        scope.spawn(|| Client::new(&world, 0).watch());
        until("the disk is full", Duration::from_mins(1), || refused() > 8);
        until("it is not ready", Duration::from_secs(20), || {
            !world.ready[0].load(Ordering::Relaxed)
        });
        node.tell("go on");
        let before = dealt();
        until("it goes on", Duration::from_secs(20), || dealt() > before + 50);
        until("it is ready", Duration::from_secs(10), || world.ready[0].load(Ordering::Relaxed));
        drop(over);
    });
    let (key, public) = (world.told.key().clone(), home.path().join("public"));
    audits(&format!("http://{}", wire.address), &key, home.path());
    fetch(&world, &public);
    assert!(node.stop() < Duration::from_secs(20));
    let found = checker::check(&public, &key, &world.told);
    println!("{found} {:#?}\n{:#?}", world.told.inner().figures, checker::said(&log));
}

/// A disk of its own for the published files alone, which do what the test says. The state is on
/// another one.
const PUBLIC_ON_A_SMALL_DISK: &str = r#"cd "$1" && cp -a ledger/public whole || exit
mount -t tmpfs -o size=64m,mode=755 tmpfs ledger/public && cp -a whole/. ledger/public || exit
exec 3<&0
(while read -r line <&3; do sh -c "$line" 2>/dev/null; done) &
exec "$0" serve ledger --listen 127.0.0.1:0 --log-format json --publish-wait 1s --max-lag 8s \
    --policy policy --witness-every 0s --anchor-every 0s"#;

#[test]
fn where_the_published_files_find_no_space_nothing_is_answered_and_no_witness_is_ahead_of_them() {
    let scene = Scene::new("publish", 1);
    let (world, home) = (&scene.world, scene.home.path());
    let log = home.join("node 0.log");
    let mut shell = within("unshare", &[]);
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", PUBLIC_ON_A_SMALL_DISK]);
    shell.arg(env!("CARGO_BIN_EXE_fairdeal")).arg(home);
    shell.stderr(std::fs::File::create(&log).unwrap());
    let (mut node, said) = Process::start(&mut shell, 1)
        .unwrap_or_else(|| panic!("{}", std::fs::read_to_string(&log).unwrap()));
    let address = said[0].strip_prefix("listening on http://").unwrap().parse().unwrap();
    scene.nodes[0].wire.lead_to(Some(address));
    let tables = [Client::new(world, 0).make_table("main", json!({"rounds": 100_000}))];
    let refused = || world.told.figure("retries, 503");
    let dealt = || world.told.figure("receipts verified");
    std::thread::scope(|scope| {
        let over = Over(world);
        for number in 0..4 {
            let tables = &tables;
            scope.spawn(move || Client::new(world, 0).deal(&format!("dealer {number}"), tables));
        }
        scope.spawn(|| Client::new(world, 0).watch());
        for _ in 0..3 {
            let before = dealt();
            until("it deals", Duration::from_secs(30), || dealt() > before + 50);
            let before = refused();
            // A second write takes what the first one's buffer left.
            let ballast = "cat /dev/zero >ledger/public/ballast; cat /dev/zero >ledger/public/more";
            node.tell(ballast);
            until("the disk is full", Duration::from_mins(1), || refused() > before + 8);
            node.tell("rm ledger/public/ballast ledger/public/more");
        }
        let before = dealt();
        until("it goes on", Duration::from_secs(30), || dealt() > before + 50);
        drop(over);
    });
    let public = home.join("fetched");
    fetch(world, &public);
    assert!(node.stop() < Duration::from_secs(20));
    let found = checker::check(&public, world.told.key(), &world.told);
    println!("{found} {:#?}\n{:#?}", world.told.inner().figures, checker::said(&log));
}

/// Copies the published files to a folder.
fn fetch(world: &World, to: &Path) {
    let client = Client::new(world, 0);
    let note = client.get("/checkpoint").unwrap().1;
    let size = verify_checkpoint(&note, world.told.key()).unwrap().size();
    std::fs::create_dir_all(to).unwrap();
    std::fs::write(to.join("checkpoint"), note).unwrap();
    for path in tiles(size).map(TilePath::to_text) {
        let file = to.join(&path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, client.bytes(&format!("/{path}"))).unwrap();
    }
}
