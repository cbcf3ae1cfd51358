//! Making and opening a state in PostgreSQL.

use super::*;

#[tokio::test]
async fn of_two_that_make_a_state_at_once_one_wins_and_nothing_is_overwritten() {
    for _ in 0..5 {
        let url = Server::shared().new_url();
        let heads = ["one", "two", "three"].map(|key| Head { key: key.to_owned(), ..first_head() });
        let made = heads.iter().map(|head| Postgres::create(&url, options().wait, head));
        let made = futures::future::join_all(made).await;
        let won: Vec<_> = heads
            .iter()
            .zip(&made)
            .filter(|(_, made)| made.is_ok())
            .map(|(head, _)| head)
            .collect();
        let [won] = won.as_slice() else { panic!("{made:?}") };
        for lost in made.iter().filter_map(|made| made.as_ref().err()) {
            assert_eq!(lost.fault, Fault::Taken, "{lost}");
        }
        let state = Postgres::open(&url, options().wait).await.expect("opens");
        assert_eq!(state.read().await.expect("reads").head().await.expect("a head"), **won);
    }
}

#[tokio::test]
async fn what_cannot_be_opened_is_an_error_that_says_why_and_has_no_password() {
    let server = Server::shared();
    let quick = Duration::from_millis(300);
    let error = async |url: &str| -> StoreError {
        let error = Postgres::open(url, quick).await.expect_err("refused");
        assert!(!format!("{error} {error:?}").contains(PASSWORD), "{error}");
        error
    };
    let none = error(&server.url("nobody_made_it")).await;
    assert_eq!(none.fault, Fault::Missing, "{none}");
    assert!(none.to_string().contains("holds no ledger"), "{none}");
    let other = error(&server.url("x").replace("/postgres?", "/no_such_database?")).await;
    assert_eq!(other.fault, Fault::Missing, "{other}");
    let wrong = error(&server.url("x").replace(PASSWORD, "wrong")).await;
    assert_eq!(wrong.fault, Fault::Denied, "{wrong}");
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("bound")
        .port();
    let gone = error(&format!("postgres://fairdeal:{PASSWORD}@127.0.0.1:{free}/postgres")).await;
    assert_eq!(gone.fault, Fault::Unreachable, "{gone}");
    // A newer version of the tables than this one knows.
    let url = server.new_url();
    let state = Postgres::create(&url, options().wait, &first_head()).await.expect("made");
    assert!(!format!("{state:?}").contains(PASSWORD), "{state:?}");
    let (base, query) = url.split_once('?').expect("a schema");
    let schema = query.split(['=', '&']).nth(1).expect("a schema");
    let mut sql =
        PgConnection::connect(&format!("{base}?sslmode=disable")).await.expect("connects");
    let newer = sqlx::AssertSqlSafe(format!("UPDATE {schema}.schema_version SET version = 1000"));
    sqlx::raw_sql(newer).execute(&mut sql).await.expect("changed");
    let newer = error(&url).await;
    assert!(newer.fault == Fault::Denied && newer.to_string().contains("found 1000"), "{newer}");
    assert!(!server.log().contains(PASSWORD));
}
