//! The service and its pages. No tools and no other servers are needed.

#[path = "../../../ledger/tests/main/ledger_faulty.rs"]
#[allow(dead_code, reason = "shared with the ledger's tests, which use all of it")]
mod ledger_faulty;
#[path = "../../../ledger/tests/main/ledger_support.rs"]
mod ledger_support;
mod pages;
mod relay;
mod service;
mod service_beacons;
mod service_document;
mod service_raffles;
mod service_reach;
mod service_requests;
mod service_state;
mod service_support;
mod service_table;
