//! What passes anywhere: no servers, no tools.
