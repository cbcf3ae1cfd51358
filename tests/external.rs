//! What needs Go, Python, strace: turned on by ./check, where a missing tool is a failure.
