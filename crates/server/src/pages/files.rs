//! The files of `web/` that a browser asks for. Written by crates/server/tests/main/pages.rs.

macro_rules! files {
    ($($path:tt)+) => {
        /// Each file by its path, in the order of the paths.
        pub const WEB_FILES: &[(&str, &[u8])] = &[$(($path, bytes!($path))),+];
    };
}

macro_rules! bytes {
    // build.rs makes it.
    ("curves.js") => {
        include_bytes!(concat!(env!("OUT_DIR"), "/curves.js"))
    };
    ($path:tt) => {
        include_bytes!(concat!("../../../../web/", $path))
    };
}

files! {
    "check-examples.js" "check.css" "check.html" "curves.js" "elements.js" "embed.html" "example.js"
    "explore.css" "explore.html" "fairdeal/answers.js" "fairdeal/audit.js" "fairdeal/badge-words.js"
    "fairdeal/beacon.js" "fairdeal/below.js" "fairdeal/book.js" "fairdeal/bytes.js"
    "fairdeal/caught.js" "fairdeal/chacha20.js" "fairdeal/checkpoint.js" "fairdeal/client.js"
    "fairdeal/connect.js" "fairdeal/continuity.js" "fairdeal/contribute.js"
    "fairdeal/contribution.js" "fairdeal/cosignature.js" "fairdeal/deal.js" "fairdeal/dealer.js"
    "fairdeal/deck.js" "fairdeal/derive.js" "fairdeal/dialects/cards.js"
    "fairdeal/dialects/chain.js" "fairdeal/dialects/columns.js" "fairdeal/dialects/confusions.js"
    "fairdeal/dialects/csv.js" "fairdeal/dialects/diagnose.js" "fairdeal/dialects/duel.js"
    "fairdeal/dialects/fairdeal-v1.js" "fairdeal/dialects/game.js" "fairdeal/dialects/index.js"
    "fairdeal/dialects/json-rows.js" "fairdeal/dialects/judge.js" "fairdeal/dialects/limits.js"
    "fairdeal/dialects/links.js" "fairdeal/dialects/liqd.js" "fairdeal/dialects/lists.js"
    "fairdeal/dialects/multiplier.js" "fairdeal/dialects/numbers.js" "fairdeal/dialects/registry.js"
    "fairdeal/dialects/round.js" "fairdeal/dialects/rows-file.js" "fairdeal/dialects/rows-show.js"
    "fairdeal/dialects/seeds.js" "fairdeal/dialects/single.js" "fairdeal/dialects/stake.js"
    "fairdeal/dialects/statements.js" "fairdeal/dialects/unreadable.js"
    "fairdeal/dialects/values.js" "fairdeal/dialects/walk.js" "fairdeal/documents.js"
    "fairdeal/ed25519.js" "fairdeal/elements.js" "fairdeal/entrant.js" "fairdeal/entry.js"
    "fairdeal/events.js" "fairdeal/evidence.js" "fairdeal/expected.js" "fairdeal/export.js"
    "fairdeal/findings.js" "fairdeal/found.js" "fairdeal/given.js" "fairdeal/grammar.js"
    "fairdeal/hands.js" "fairdeal/heads.js" "fairdeal/index.js" "fairdeal/jcs.js" "fairdeal/json.js"
    "fairdeal/judged.js" "fairdeal/keep-key.js" "fairdeal/key.js" "fairdeal/layout.js"
    "fairdeal/life.js" "fairdeal/merkle.js" "fairdeal/mine.js" "fairdeal/note.js"
    "fairdeal/opening.js" "fairdeal/player.js" "fairdeal/policy.js" "fairdeal/problem.js"
    "fairdeal/proving.js" "fairdeal/raffle-document.js" "fairdeal/raffle-promise.js"
    "fairdeal/raffle.js" "fairdeal/receipt.js" "fairdeal/record.js" "fairdeal/refused.js"
    "fairdeal/replay.js" "fairdeal/report.js" "fairdeal/result.js" "fairdeal/round.js"
    "fairdeal/seal.js" "fairdeal/seat.js" "fairdeal/seed.js" "fairdeal/seen-cards.js"
    "fairdeal/service.js" "fairdeal/session.js" "fairdeal/several.js" "fairdeal/sha256.js"
    "fairdeal/shuffle.js" "fairdeal/signatures.js" "fairdeal/source.js" "fairdeal/storage.js"
    "fairdeal/stored.js" "fairdeal/terms.js" "fairdeal/tile.js" "fairdeal/timers.js"
    "fairdeal/transport.js" "fairdeal/verdict.js" "fairdeal/verify.js" "fairdeal/wait.js"
    "fairdeal/witnessed.js" "home.css" "list.css" "operator.css" "operator.html" "pages/check.js"
    "pages/explore.js" "pages/operator.js" "pages/raffle.js" "pages/verify.js" "pages/watch.js"
    "raffle.css" "raffle.html" "strings/de-check.js" "strings/de-explore.js"
    "strings/de-findings.js" "strings/de-home.js" "strings/de-missing.js" "strings/de-operator.js"
    "strings/de-raffle.js" "strings/de-witness.js" "strings/de.js" "strings/en-check.js"
    "strings/en-explore.js" "strings/en-findings.js" "strings/en-home.js" "strings/en-missing.js"
    "strings/en-operator.js" "strings/en-raffle.js" "strings/en-witness.js" "strings/en.js"
    "strings/first.js" "style.css" "ui/adopt.js" "ui/answer-style.js" "ui/byhand.js" "ui/cards.js"
    "ui/channel.js" "ui/check/file.js" "ui/check/form.js" "ui/check/limits.js" "ui/check/round.js"
    "ui/check/together.js" "ui/check/words.js" "ui/chips.js" "ui/cloth.js" "ui/copied.js"
    "ui/drop.js" "ui/element-style.js" "ui/explore/audit.js" "ui/explore/checkpoint.js"
    "ui/explore/dealt.js" "ui/explore/list.js" "ui/explore/memory.js" "ui/explore/monitor.js"
    "ui/explore/route.js" "ui/explore/timeline.js" "ui/explore/views.js" "ui/explore/words.js"
    "ui/find.js" "ui/folds.js" "ui/frames.js" "ui/given.js" "ui/hand-row.js" "ui/heat.js"
    "ui/home-style.js" "ui/home.js" "ui/host.js" "ui/inputs.js" "ui/judged-hands.js" "ui/kept.js"
    "ui/key-card.js" "ui/key-style.js" "ui/key-words.js" "ui/keys.js" "ui/lab.js" "ui/latest.js"
    "ui/link.js" "ui/more.js" "ui/numbers.js" "ui/operator/api.js" "ui/operator/collect.js"
    "ui/operator/commit.js" "ui/operator/dialogs.js" "ui/operator/games.js" "ui/operator/given.js"
    "ui/operator/hand.js" "ui/operator/model.js" "ui/operator/overview.js" "ui/operator/parts.js"
    "ui/operator/refusal.js" "ui/operator/table-parts.js" "ui/operator/table.js"
    "ui/operator/token.js" "ui/operator/waiting.js" "ui/page.js" "ui/places.js" "ui/player.js"
    "ui/poker.js" "ui/policy.js" "ui/raffle/api.js" "ui/raffle/by-hand.js" "ui/raffle/cloth.js"
    "ui/raffle/find.js" "ui/raffle/given.js" "ui/raffle/identity.js" "ui/raffle/list-view.js"
    "ui/raffle/made.js" "ui/raffle/make.js" "ui/raffle/memory.js" "ui/raffle/names.js"
    "ui/raffle/review.js" "ui/raffle/side.js" "ui/raffle/source.js" "ui/raffle/stage.js"
    "ui/raffle/state.js" "ui/raffle/steps.js" "ui/raffle/whole.js" "ui/raffle/words.js"
    "ui/report.js" "ui/rows.js" "ui/save.js" "ui/scene.js" "ui/seeds.js" "ui/sentence.js"
    "ui/stage.js" "ui/start.js" "ui/steps.js" "ui/strings.js" "ui/text.js" "ui/timeline.js"
    "ui/verdict.js" "ui/watch-style.js" "ui/windowed.js" "ui/wordbar.js" "ui/worker.js"
    "verify.html" "watch.html" "workers/answers.js" "workers/beacons.js" "workers/check.js"
    "workers/dossier.js" "workers/explore.js" "workers/explore/chronicle.js"
    "workers/explore/compare.js" "workers/explore/edge.js" "workers/explore/find.js"
    "workers/explore/lanes.js" "workers/explore/latest.js" "workers/explore/live.js"
    "workers/explore/reader.js" "workers/explore/session.js" "workers/explore/views.js"
    "workers/judge.js" "workers/lab.js" "workers/policy-file.js" "workers/policy.js"
    "workers/raffle-list.js" "workers/raffle-number.js" "workers/raffle.js" "workers/shuffles.js"
    "workers/sort.js" "workers/words.js"
}
