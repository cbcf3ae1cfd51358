//! Reading, alike in every database and with a transaction and without.

/// Implements [`Read`](super::state::Read) by the functions of `queries`. `$asked` gives a function
/// its connection.
macro_rules! reads {
    ($type:ty, $asked:ident) => {
        impl Read for $type {
            fn head(&mut self) -> StoreFuture<'_, Head> {
                $asked!(self, queries::head())
            }
            fn lives<'a>(&'a mut self, of: &'a [Commitment]) -> StoreFuture<'a, Vec<StoredLife>> {
                $asked!(self, queries::lives(of))
            }
            fn lives_from<'a>(
                &'a mut self,
                choice: &'a Choice,
                from: u64,
                most: u32,
            ) -> StoreFuture<'a, Vec<StoredLife>> {
                $asked!(self, queries::lives_from(choice, from, most))
            }
            fn tables<'a>(
                &'a mut self,
                of: &'a [Table],
            ) -> StoreFuture<'a, Vec<(Table, Commitment)>> {
                $asked!(self, queries::tables(of))
            }
            fn tables_after<'a>(
                &'a mut self,
                after: Option<&'a Table>,
                most: u32,
            ) -> StoreFuture<'a, Vec<Table>> {
                $asked!(self, queries::tables_after(after, most))
            }
            fn answers<'a>(
                &'a mut self,
                keys: &'a [String],
                since: u64,
            ) -> StoreFuture<'a, Vec<Answer>> {
                $asked!(self, queries::answers(keys, since))
            }
            fn answers_after(
                &mut self,
                after: Option<u64>,
                most: u32,
            ) -> StoreFuture<'_, Vec<Answer>> {
                $asked!(self, queries::answers_after(after, most))
            }
            fn segments(&mut self, range: Range<u64>) -> StoreFuture<'_, Vec<Segment>> {
                $asked!(self, queries::segments(range.clone()))
            }
            fn round(&mut self, under: u64, nonce: Nonce) -> StoreFuture<'_, Vec<u64>> {
                $asked!(self, queries::round(under, nonce))
            }
            fn rounds_after(
                &mut self,
                after: Option<RoundEntry>,
                most: u32,
            ) -> StoreFuture<'_, Vec<RoundEntry>> {
                $asked!(self, queries::rounds_after(after, most))
            }
            fn nodes(
                &mut self,
                level: u32,
                range: Range<u64>,
            ) -> StoreFuture<'_, Vec<(u64, Hash)>> {
                $asked!(self, queries::nodes(level, range.clone()))
            }
            fn memos<'a>(
                &'a mut self,
                kind: &'a str,
                prefix: &'a str,
                after: Option<&'a str>,
                most: u32,
            ) -> StoreFuture<'a, Vec<(String, String)>> {
                $asked!(self, queries::memos(kind, prefix, after, most))
            }
            fn memos_of<'a>(
                &'a mut self,
                kind: &'a str,
                keys: &'a [String],
            ) -> StoreFuture<'a, Vec<(String, String)>> {
                $asked!(self, queries::memos_of(kind, keys))
            }
            fn memos_after<'a>(
                &'a mut self,
                after: Option<&'a Memo>,
                most: u32,
            ) -> StoreFuture<'a, Vec<Memo>> {
                $asked!(self, queries::memos_after(after, most))
            }
            fn check(&mut self) -> StoreFuture<'_, Vec<String>> {
                $asked!(self, queries::integrity())
            }
        }
    };
}
pub(super) use reads;
