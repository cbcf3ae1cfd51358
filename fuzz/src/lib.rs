//! What a fuzz target needs and `../tools` does not have.

#[path = "../../tests/main/service_requests/request.rs"]
pub mod request;
