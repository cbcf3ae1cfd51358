//! The files of `web/` that a browser asks for. Written by crates/server/tests/main/pages.rs.

macro_rules! files {
    ($($path:literal)+) => {
        /// Each file by its path, in the order of the paths.
        pub const WEB_FILES: &[(&str, &[u8])] =
            &[$(($path, include_bytes!(concat!("../../../../web/", $path)))),+];
    };
}

files! {
    "agree-maker.js" "check-examples.js" "check.css" "check.html" "elements.js" "embed.html"
    "example.js" "explore.css" "explore.html" "fairdeal/answers.js" "fairdeal/audit.js"
    "fairdeal/badge-words.js" "fairdeal/below.js" "fairdeal/book.js" "fairdeal/bytes.js"
    "fairdeal/caught.js" "fairdeal/chacha20.js" "fairdeal/checkpoint.js" "fairdeal/client.js"
    "fairdeal/connect.js" "fairdeal/continuity.js" "fairdeal/contribute.js"
    "fairdeal/contribution.js" "fairdeal/deal.js" "fairdeal/dealer.js" "fairdeal/deck.js"
    "fairdeal/derive.js" "fairdeal/dialects/bustabit.js" "fairdeal/dialects/cards.js"
    "fairdeal/dialects/chain.js" "fairdeal/dialects/columns.js" "fairdeal/dialects/confusions.js"
    "fairdeal/dialects/csv.js" "fairdeal/dialects/diagnose.js" "fairdeal/dialects/duel-crash.js"
    "fairdeal/dialects/duel-video-poker.js" "fairdeal/dialects/fairdeal-v1.js"
    "fairdeal/dialects/index.js" "fairdeal/dialects/json-rows.js" "fairdeal/dialects/judge.js"
    "fairdeal/dialects/limits.js" "fairdeal/dialects/liqd-blackjack.js"
    "fairdeal/dialects/multiplier.js" "fairdeal/dialects/numbers.js" "fairdeal/dialects/registry.js"
    "fairdeal/dialects/round.js" "fairdeal/dialects/rows-file.js" "fairdeal/dialects/rows-show.js"
    "fairdeal/dialects/seeds.js" "fairdeal/dialects/single.js" "fairdeal/dialects/stake-crash.js"
    "fairdeal/dialects/stake-replace.js" "fairdeal/dialects/stake-video-poker.js"
    "fairdeal/dialects/statements.js" "fairdeal/dialects/unreadable.js"
    "fairdeal/dialects/values.js" "fairdeal/dialects/walk.js" "fairdeal/documents.js"
    "fairdeal/ed25519.js" "fairdeal/elements.js" "fairdeal/entry.js" "fairdeal/events.js"
    "fairdeal/evidence.js" "fairdeal/expected.js" "fairdeal/export.js" "fairdeal/findings.js"
    "fairdeal/given.js" "fairdeal/grammar.js" "fairdeal/heads.js" "fairdeal/index.js"
    "fairdeal/jcs.js" "fairdeal/json.js" "fairdeal/judged.js" "fairdeal/keep-key.js"
    "fairdeal/key.js" "fairdeal/layout.js" "fairdeal/life.js" "fairdeal/merkle.js"
    "fairdeal/mine.js" "fairdeal/note.js" "fairdeal/opening.js" "fairdeal/player.js"
    "fairdeal/problem.js" "fairdeal/receipt.js" "fairdeal/record.js" "fairdeal/refused.js"
    "fairdeal/replay.js" "fairdeal/report.js" "fairdeal/result.js" "fairdeal/round.js"
    "fairdeal/seal.js" "fairdeal/seat.js" "fairdeal/seed.js" "fairdeal/seen-cards.js"
    "fairdeal/session.js" "fairdeal/several.js" "fairdeal/sha256.js" "fairdeal/shuffle.js"
    "fairdeal/signatures.js" "fairdeal/source.js" "fairdeal/storage.js" "fairdeal/stored.js"
    "fairdeal/terms.js" "fairdeal/tile.js" "fairdeal/timers.js" "fairdeal/verdict.js"
    "fairdeal/verify.js" "fairdeal/wait.js" "list.css" "pages/check.js" "pages/explore.js"
    "pages/verify.js" "pages/watch.js" "strings/de-check.js" "strings/de-explore.js" "strings/de.js"
    "strings/en-check.js" "strings/en-explore.js" "strings/en.js" "strings/first.js" "style.css"
    "ui/byhand.js" "ui/cards.js" "ui/channel.js" "ui/check/file.js" "ui/check/form.js"
    "ui/check/limits.js" "ui/check/round.js" "ui/check/together.js" "ui/check/words.js"
    "ui/chips.js" "ui/drop.js" "ui/element-style.js" "ui/explore/audit.js"
    "ui/explore/checkpoint.js" "ui/explore/dealt.js" "ui/explore/list.js" "ui/explore/memory.js"
    "ui/explore/route.js" "ui/explore/timeline.js" "ui/explore/views.js" "ui/explore/words.js"
    "ui/frames.js" "ui/heat.js" "ui/inputs.js" "ui/kept.js" "ui/keys.js" "ui/lab.js" "ui/link.js"
    "ui/more.js" "ui/page.js" "ui/player.js" "ui/report.js" "ui/seeds.js" "ui/sentence.js"
    "ui/stage.js" "ui/steps.js" "ui/strings.js" "ui/text.js" "ui/verdict.js" "ui/watch-style.js"
    "ui/windowed.js" "ui/wordbar.js" "ui/worker.js" "verify.html" "watch.html" "workers/answers.js"
    "workers/check.js" "workers/dossier.js" "workers/explore.js" "workers/explore/chronicle.js"
    "workers/explore/compare.js" "workers/explore/edge.js" "workers/explore/lanes.js"
    "workers/explore/live.js" "workers/explore/reader.js" "workers/explore/session.js"
    "workers/explore/views.js" "workers/judge.js" "workers/lab.js" "workers/shuffles.js"
    "workers/sort.js" "workers/words.js"
}
