// Deutsch.

/** @type {Record<keyof typeof import("./en.js").strings, string>} */
import { STATES } from "../fairdeal/badge-words.js";
import { check } from "./de-check.js";
import { explore } from "./de-explore.js";

export const strings = {
  "page.title": "{page} · fairdeal",
  "page.skip": "Zum Inhalt",
  "page.offline":
    "Alles geschieht in diesem Browser. Keine Datei, kein Schlüssel und kein Seed verlässt ihn.",
  "page.broken": "Ein Teil dieser Seite ließ sich nicht laden. Laden Sie die Seite noch einmal.",
  "nav.label": "Seiten",
  "nav.menu": "Menü",
  "nav.verify": "Prüfen",
  "nav.check": "Nachrechnen",
  "nav.watch": "Zusehen",
  "nav.explore": "Erkunden",
  "nav.play": "Spielen",
  "look.language": "Sprache",
  "look.theme": "Farben",
  "look.auto": "Wie das System",
  "look.light": "Hell",
  "look.dark": "Dunkel",
  "look.suits": "Kartenfarben",
  "look.two": "Zwei",
  "look.four": "Vier",
  copy: "Kopieren",
  copied: "Kopiert",
  close: "Schließen",
  remove: "{name} entfernen",
  "and-more": "und {n} weitere",

  "suit.c": "Kreuz",
  "suit.d": "Karo",
  "suit.h": "Herz",
  "suit.s": "Pik",
  "rank.T": "10",
  "rank.J": "Bube",
  "rank.Q": "Dame",
  "rank.K": "König",
  "rank.A": "Ass",
  "ranks.2": "Zweien",
  "ranks.3": "Dreien",
  "ranks.4": "Vieren",
  "ranks.5": "Fünfen",
  "ranks.6": "Sechsen",
  "ranks.7": "Siebenen",
  "ranks.8": "Achten",
  "ranks.9": "Neunen",
  "ranks.T": "Zehnen",
  "ranks.J": "Buben",
  "ranks.Q": "Damen",
  "ranks.K": "Könige",
  "ranks.A": "Asse",
  "card.name": "{suit} {rank}",
  "card.joker": "Joker {n}",
  "card.hidden": "eine verdeckte Karte",
  "card.differs": "weicht ab",

  "drop.title": "War das Mischen fair?",
  "drop.lead":
    "Legen Sie hier einen Beleg ab, oder mehrere. Auch den Schlüssel des Logs und eigene Dateien.",
  "drop.anywhere": "Ablegen geht überall auf dieser Seite.",
  "drop.choose": "Dateien wählen",
  "drop.paste": "Text einfügen",
  "drop.paste-label": "Beleg, Schlüssel oder Link",
  "drop.paste-use": "Diesen Text prüfen",
  "drop.pasted": "eingefuegt.json",
  "drop.linked": "verlinkt.json",
  "drop.too-large": "Diese Datei hat mehr als 64 MB.",
  "drop.unreadable": "Diese Datei konnte nicht gelesen werden.",
  "drop.example": "Ein Beispiel ansehen",
  "drop.byhand": "Seeds von Hand eingeben",
  "drop.given": "Ihre Dateien",
  "drop.now": "Loslassen, um zu prüfen.",

  "kind.receipt": "Beleg",
  "kind.unknown": "nicht lesbar",
  "kind.key": "Schlüssel",
  "kind.since": "gemerkter Stand",
  "kind.mine": "mein Beitrag",
  "kind.list": "Liste",
  "kind.kept": "aufgehoben",

  "key.label": "Der Schlüssel des Logs",
  "key.hint":
    "Nehmen Sie den Schlüssel von einem Ort, an dem alle denselben sehen: von der Seite des Betreibers, einem Aushang, einer Zeitung. Nehmen Sie ihn nicht aus dem Beleg.",
  "key.placeholder": "cards.example/log+b5c97633+Aepk…",
  "key.use": "Diesen Schlüssel verwenden",
  "key.from": "Woher ist dieser Schlüssel?",
  "key.from-hint": "In Ihren Worten, für später.",
  "key.keep": "In diesem Browser merken",
  "key.forget": "Diesen Schlüssel vergessen",
  "key.wanted":
    "Dieser Beleg sagt, er sei aus dem Log {origin}. Nur der Schlüssel dieses Logs kann das beweisen.",
  "key.is": "Der Schlüssel des Logs",
  "key.state.kept": "Schlüssel aufgehoben",
  "key.state.given": "Schlüssel gegeben",
  "key.state.open": "Schlüssel nicht verglichen",
  "key.typed": "Sie haben diesen Schlüssel gerade angegeben.",
  "key.file": "Dieser Schlüssel kam mit der Datei {name}, die Sie gegeben haben.",
  "key.kept": "Sie haben sich diesen Schlüssel am {when} gemerkt.",
  "key.kept-from": "Sie haben sich diesen Schlüssel am {when} gemerkt. Er ist von: {from}",
  "key.example":
    "Dieser Schlüssel gehört zum Beispiel. Er beweist nichts über einen echten Betreiber.",
  "key.link":
    "Dieser Schlüssel kam im selben Link wie der Beleg. Wer den Link gemacht hat, hat beide gewählt. Vergleichen Sie ihn mit dem des Betreibers.",

  "kept.add": "Meine Datei dazugeben",
  "kept.only":
    "Nur was Sie selbst während des Spiels gesichert haben, nicht was Ihnen später jemand gab.",
  "kept.title": "Was ich aufgehoben habe",
  "kept.lead":
    "Legen Sie hier ab, was Sie während des Spiels gesichert haben: Ihren Beitrag, den Beleg der Sperre, die alle Hashes festlegte, oder die Beweise Ihres Programms.",
  "kept.not":
    "Ein Beleg der Sperre hilft nur, wenn Sie ihn gesichert haben, bevor Sie Ihren Seed geöffnet haben. Eine Datei, die Ihnen jemand später gab, gehört nicht hierher.",
  "kept.choose": "Aufgehobene Dateien wählen",

  "brought.title": "Mein Beitrag",
  "brought.lead": "Alles davon ist freiwillig. Damit zeigt das Urteil mehr, aber nur Ihnen.",
  "brought.label": "Mein Name am Tisch",
  "brought.seed": "Mein Seed",
  "brought.seat": "Der Platz, dessen Karten eine Öffnung zeigen muss",
  "brought.players": "Schlüssel, die mir Spieler gegeben haben",
  "brought.players-hint": "Einer pro Zeile: Name=64 hexadezimale Ziffern.",
  "brought.drop":
    "Ein Stand des Logs, den Sie sich gemerkt haben, oder die Liste, aus der gezogen wurde: legen Sie die Datei auf dieser Seite ab.",
  "brought.use": "Damit noch einmal prüfen",

  "hand.title": "Seeds von Hand",
  "hand.lead":
    "Geben Sie die Seeds ein, die Betreiber und Spieler veröffentlicht haben. Diese Seite berechnet die Karten.",
  "hand.server": "Der Seed des Betreibers, nach dem Spiel",
  "hand.server-hint": "64 hexadezimale Ziffern",
  "hand.promise": "Das Versprechen von vor dem Spiel",
  "hand.promise-hint": "Freiwillig: 64 hexadezimale Ziffern, der SHA-256 des Seeds",
  "hand.players": "Die Seeds der Spieler",
  "hand.players-hint": "Einer pro Zeile: Name=Seed",
  "hand.round": "Runde",
  "hand.deck": "Deck oder Liste",
  "hand.list": "eine Liste von Namen",
  "hand.items": "Die Liste",
  "hand.items-hint": "Ein Eintrag pro Zeile.",
  "hand.draw": "Wie viele gegeben werden",
  "hand.draw-hint": "Leer: alle",
  "hand.method": "Verfahren",
  "hand.shuffle": "Mischen",
  "hand.cycle": "Zyklus: niemand zieht sich selbst",
  "hand.expect": "Die Karten, die ich gesehen habe",
  "hand.expect-hint": "Freiwillig, etwa Qh Td 3c",
  "hand.go": "Noch einmal geben",
  "hand.example": "Ein Beispiel eintragen",
  "hand.line": "Zeile {n}: erwartet Name=Seed, gefunden {line}",

  "state.caught": STATES.de.caught,
  "state.fair": STATES.de.fair,
  "state.unproved": STATES.de.unproved,
  "accuses.operator": "Das beschuldigt den Betreiber, dessen Schlüssel es unterschrieben hat.",
  "accuses.operator-mine":
    "Das beschuldigt den Betreiber, aber nur für Sie: Niemand sonst weiß, was Sie beigetragen haben.",
  "accuses.writer":
    "Das beschuldigt nur den, der diese Datei geschrieben oder geschickt hat, nicht den Betreiber.",
  "accuses.nobody-mine":
    "Das beschuldigt niemanden: Der Schlüssel des Betreibers hat es nicht unterschrieben, oder Sie haben die Beweise nicht selbst aufgehoben.",
  "accuses.nobody":
    "Das beschuldigt niemanden: Der Schlüssel des Betreibers hat es nicht richtig unterschrieben.",

  "v.word.holds": "Es hält",
  "v.word.none": "Nicht bekannt",
  "v.word.fails": "Es hält nicht",
  "v.word.unreadable": "Es ließ sich nicht prüfen",
  "v.word.pending": "Noch nicht geprüft",
  "v.working": "Wird geprüft …",
  "v.no-mine":
    "Der Betreiber kann jeden Seed vorher gekannt haben. Verlangen Sie einen Tisch mit Hashes.",
  "v.nothing-kept":
    "Dass ein Seed Ihrer ist, ist nicht gezeigt. Haben Sie gespielt? Geben Sie Ihre aufgehobenen Dateien dazu.",
  "v.yours-known":
    "Ihr Seed war dabei, aber andere können ihn gekannt haben. Verlangen Sie einen Tisch mit Hashes.",
  "v.no-lock":
    "Ihr Seed war dabei. Dass er geheim war, zeigt der Beleg der Sperre: Geben Sie ihn dazu.",
  "v.yours":
    "Ihr Seed war gesperrt, bevor jemand eine Karte kennen konnte. Die Karten folgen aus allen Seeds.",
  "v.opened":
    "Das sind die Karten, die vor dem Spiel versiegelt wurden. Der geheime Seed ist noch nicht öffentlich.",
  "v.beacon": "Bisher ist nichts falsch, aber niemand hat die öffentliche Zufallszahl geprüft.",
  "v.unrevealed":
    "Die Karten lassen sich noch nicht prüfen: der Seed ist bis zur Enthüllung geheim.",
  "v.locked": "Bisher ist nichts falsch. Die Seeds stehen fest, und noch wurde nichts gegeben.",
  "v.voided": "Es wurde nichts gegeben: es wurde abgesagt.",
  "v.promise": "Im Log steht ein Versprechen. Diese Datei zeigt keine Runde dazu.",
  "v.foreign":
    "Es steht im Log, aber das Versprechen folgt einem anderen Protokoll und wird hier nicht beurteilt.",
  "v.several": "Alle {n} Belege halten, und sie widersprechen einander nicht.",
  "v.several-signed":
    "Alle {n} Belege sind unterschrieben und widersprechen einander nicht. Die Karten von manchen lassen sich noch nicht prüfen.",
  "v.several-bad":
    "Nicht alle dieser {n} Belege halten, und nichts in ihnen beschuldigt den Betreiber.",
  "v.unreadable": "Diese Datei lässt sich nicht prüfen, weil sie nicht als Beleg lesbar ist.",
  "v.unreadable-some": "Einige dieser {n} Dateien sind nicht lesbar. Sie wurden nicht geprüft.",
  "v.refused":
    "Nichts wurde geprüft: eine Datei oder ein Wert, der zum Beleg gegeben wurde, ist falsch.",
  "v.no-signatures":
    "Dieser Browser kann die Unterschrift des Logs nicht prüfen. Ein neuerer kann es.",
  "v.unlinked":
    "Nichts hier zeigt, dass ein Beleg an Ihren gemerkten Stand anschließt. Das kann nur das Log zeigen.",
  "v.link-broken": "Dieser Link ist beschädigt: aus ihm lässt sich kein Beleg lesen.",
  "v.which-key": "Welchen Schlüssel hat das Log? Ohne ihn lässt sich nichts beweisen.",
  "v.hand":
    "Diese Seeds geben diese Karten. Vergleichen Sie sie mit denen, die Sie bekommen haben.",
  "v.hand-items":
    "Diese Seeds geben diese Reihenfolge. Vergleichen Sie sie mit der, die Sie gesehen haben.",
  "v.hand-right": "Die Karten sind die, die diese Seeds geben.",
  "v.hand-wrong": "Diese Seeds geben andere Karten, als Sie gesehen haben.",
  "v.hand-promise": "Dieser Seed ist der versprochene. Er gibt diese Karten.",
  "v.hand-broken": "Dieser Seed ist nicht der versprochene.",
  "v.continues": "Dieses Log setzt den Stand von {n} Einträgen fort, den Sie sich gemerkt haben.",

  "card.count.one": "{n} Karte",
  "card.count.other": "{n} Karten",
  "item.count.one": "{n} Eintrag",
  "item.count.other": "{n} Einträge",
  "card.logged": "das Log hat",
  "card.unnamed":
    "Das sind Nummern der Liste, gezählt ab 1. Geben Sie die Liste dazu, um die Namen zu sehen.",
  "card.title": "Die Karten, in der Reihenfolge des Gebens",
  "card.title-items": "Das Ergebnis, der Reihe nach",
  "card.sealed": "{what} stehen fest und sind versiegelt. Keine ist in dieser Datei zu sehen.",
  "card.digest": "{what} wurden gegeben. Das Ergebnis ist lang, das Log hat nur seinen Digest.",
  "card.expected": "die Seeds geben",
  "card.saw": "Sie sahen",
  "card.first": "Die {nth} Karte: erwartet {expected}, gefunden {came}.",
  "card.nothing": "nichts",

  "nth.1": "erste",
  "nth.2": "zweite",
  "nth.3": "dritte",
  "nth.4": "vierte",
  "nth.5": "fünfte",
  "nth.6": "sechste",
  "nth.7": "siebte",
  "nth.8": "achte",
  "nth.9": "neunte",
  "nth.10": "zehnte",
  "nth.other": "{n}.",
  "hand.kind.high": "höchste Karte {rank}",
  "hand.kind.pair": "ein Paar {ranks}",
  "hand.kind.two-pairs": "zwei Paare, {ranks} und {others}",
  "hand.kind.three": "drei {ranks}",
  "hand.kind.straight": "eine Straße bis {rank}",
  "hand.kind.flush": "ein Flush bis {rank}",
  "hand.kind.full-house": "ein Full House, {ranks} und {others}",
  "hand.kind.four": "vier {ranks}",
  "hand.kind.straight-flush": "ein Straight Flush bis {rank}",
  "meta.table": "Tisch {table}",
  "meta.hand": "Hand {n}",
  "meta.draw": "Ziehung {n}",
  "street.1": "Flop",
  "street.2": "Turn",
  "street.3": "River",
  "street.other": "Straße {n}",
  "place.is": "Es ist {place}.",
  "place.seat": "die {nth} von {seat}",
  "place.street": "die {nth} Karte, {street}",
  "place.street-only": "die Karte {street}",
  "place.burnt": "die {nth} verbrannte Karte",
  "place.changes": "Mit der richtigen Karte hat {who} {right}; mit dieser {logged}.",
  "cloth.yours": "Ihre Hand",
  "cloth.you": "Sie,",
  "cloth.whose": "Wessen Hand groß ist",
  "cloth.unequal": "ist nicht",
  "cloth.burnt.one": "{n} verbrannte Karte",
  "cloth.burnt.other": "{n} verbrannte Karten",
  "cloth.nobody.one": "{n} Karte, die niemand bekam",
  "cloth.nobody.other": "{n} Karten, die niemand bekam",
  "caught.cards.one": "die {nth} Karte ist nicht die, die aus den Seeds folgt",
  "caught.cards.other": "{n} Karten sind nicht die, die aus den Seeds folgen, zuerst die {nth}",
  "caught.items.one": "der {nth} Eintrag ist nicht der, der aus den Seeds folgt",
  "caught.items.other": "{n} Einträge sind nicht die, die aus den Seeds folgen, zuerst der {nth}",
  "now.save": "Beweis sichern",
  "now.title": "Was nun?",
  "now.keep":
    "Sichern Sie den Beweis, und heben Sie ihn auf. Mit dem Schlüssel des Logs kann ihn jeder prüfen, auch ohne diese Seite.",
  "now.show":
    "Zeigen Sie ihn den anderen Spielern. Was Sie hier selbst eingegeben haben, steht nicht in der Datei.",
  "now.ask":
    "Fragen Sie den Betreiber öffentlich, wie das in sein Log kam. Spielen Sie dort bis dahin nicht.",
  "now.read": "Mehr steht im Leitfaden für Spieler: docs/players.md, der mit fairdeal kommt.",
  "who.title": "Wer welchen Seed beigetragen hat",
  "who.hidden": "noch nicht geöffnet",
  "who.hashed": "zuerst als Hash",
  "who.mine": "Sie",
  "mine.early":
    "Ihr Beitrag als {from} ist noch nicht gemischt: Noch stehen keine Seeds fest, und nichts ist gegeben.",
  "mine.voided": "Ihr Beitrag als {from} wurde nicht gemischt: Die Runde wurde abgesagt.",
  "mine.absent":
    "Diese Runde hat Ihren Beitrag als {from} nicht: Unter diesem Namen steht ein anderer oder keiner. Niemand sonst kannte Ihren Seed, also hatte niemand etwas davon. Vielleicht kam er zu spät oder wurde unterwegs verändert, oder jemand anders hat den Namen benutzt.",
  "mine.mismatch": "In die Runde kam nicht, was Sie als {from} beigetragen haben.",
  "mine.agrees": "Die Runde hat, was Sie als {from} beigetragen haben. Sie ist noch nicht gegeben.",
  "mine.mixed": "Was Sie als {from} beigetragen haben, wurde hineingemischt.",
  "mine.own-key":
    "Ihr eigener Schlüssel hat unterschrieben, was diese Runde von {from} hat: Es ist nicht der Beitrag, den Sie hier angegeben haben.",
  "mine.unknown": "Dieser Browser kann die Unterschrift von {from} nicht prüfen.",
  "mine.other-round":
    "Ihr Beitrag als {from} ist aus einer anderen Runde: Er wurde mit dieser Datei nicht verglichen.",
  "who.tied": "an das Versprechen gebunden",
  "who.untied": "nicht an das Versprechen gebunden",
  "who.saw": "kannte das Log mit {n} Einträgen",
  "who.signed": "unterschrieben mit Schlüssel {key}",
  "who.nobody": "Kein Spieler brachte einen Seed. Verlangen Sie einen Tisch mit Hashes.",

  "fact.promise": "Versprechen",
  "fact.seal": "Siegel",
  "fact.digest": "Digest",
  "fact.result": "Ergebnis",
  "fact.seed-of": "Seed von {from}",
  "fact.server-seed": "Der Seed des Betreibers",
  "fact.log": "Log",

  "step.title": "So wurde gegeben",
  "step.commit": "Versprechen",
  "step.commit-says": "Der Betreiber legte einen geheimen Seed fest, bevor gegeben wurde.",
  "step.terms": "Es gilt für {n} Runden. Die Enthüllung ist fällig am {when}.",
  "step.claimed": "Das sagt diese Datei. Dass das Log es hat, ist nicht gezeigt.",
  "step.nobody": "Kein Seed eines Spielers",
  "step.clear": "Offene Seeds",
  "step.clear-says.one": "{n} Seed, nicht zuerst als Hash. Wessen er ist, ist nicht gezeigt.",
  "step.clear-says.other": "{n} Seeds, nicht zuerst als Hash. Wessen sie sind, ist nicht gezeigt.",
  "step.clear-yours.one": "{n} Seed, und es ist Ihrer. Er kam nicht zuerst als Hash.",
  "step.clear-yours.other": "{n} Seeds, Ihrer ist dabei. Sie kamen nicht zuerst als Hash.",
  "step.lock": "Seeds gesperrt",
  "step.lock-whose": "Seeds gesperrt, aber wessen?",
  "step.lock-says.one": "{n} Hash, vor dem Geben festgelegt. Wessen er ist, ist nicht gezeigt.",
  "step.lock-says.other":
    "{n} Hashes, vor dem Geben festgelegt. Wessen sie sind, ist nicht gezeigt.",
  "step.lock-known.one":
    "{n} Hash, und es ist Ihrer. Dass er bis dahin geheim war, ist nicht gezeigt.",
  "step.lock-known.other":
    "{n} Hashes, Ihrer ist dabei. Dass Ihrer bis dahin geheim war, ist nicht gezeigt.",
  "step.lock-yours.one": "{n} Seed, Ihrer, als Hash, den niemand lesen konnte.",
  "step.lock-yours.other": "{n} Seeds, Ihrer ist dabei, als Hashes, die niemand lesen konnte.",
  "step.deal": "Gegeben",
  "step.deal-says": "{what}, ins Log geschrieben.",
  "step.sealed": "{what}, jede versiegelt. Das Log verbirgt sie bis zur Enthüllung.",
  "step.opened": "Die Karten hier sind die, die versiegelt wurden.",
  "step.deal-other": "Gegeben: eine andere {nth} Karte",
  "step.deal-others": "Gegeben: {n} andere Karten",
  "step.deal-differs": "Das Log hat {came}, die Seeds geben {expected}.",
  "step.void": "Abgebrochen",
  "step.void-says": "Nichts wurde gegeben. Das Log sagt, warum.",
  "step.reveal": "Enthüllt",
  "step.reveal-same":
    "Der Seed des Betreibers wurde enthüllt. In Ihrem Browser noch einmal gegeben: dasselbe Ergebnis.",
  "step.reveal-says": "Der Seed des Betreibers wurde enthüllt.",
  "step.reveal-promised": "Der Seed des Betreibers wurde enthüllt, und er ist der versprochene.",
  "step.card-at": "Erwartet {expected}, gefunden {came}: die {nth} von {of}, gezählt ab eins.",
  "step.item-at": "Erwartet {expected}, gefunden {came}: der {nth} von {of}, gezählt ab eins.",
  "step.reveal-beacon":
    "Der Seed des Betreibers wurde enthüllt. Die öffentliche Zufallszahl hat hier niemand geprüft.",
  "step.unrevealed": "Noch nicht enthüllt",
  "step.unrevealed-says": "Der Seed des Betreibers ist geheim. Er ist fällig am {when}.",
  "step.entry": "Eintrag {index}",
  "step.log": "Im Log",
  "step.log-says":
    "Der Schlüssel hat ein Log mit {n} Einträgen unterschrieben, und all das steht darin.",
  "step.log-not": "Nichts zeigt, dass das unterschriebene Log das enthält.",
  "steps.missing": "Was das nicht zeigt",
  "steps.state.wrong": "Falsch",
  "steps.state.shown": "Gezeigt",
  "steps.state.unclear": "Nicht wie es sein soll",
  "steps.state.missing": "Nicht gezeigt",
  "steps.with": "Womit geprüft wurde",
  "steps.same": "Dasselbe in einer Shell",
  "steps.found-at": "{code} · Eintrag {index} des Logs",
  "steps.entry": "Eintrag {index} des Logs: {kind}",
  "steps.checkpoint": "Der unterschriebene Stand des Logs",
  "steps.none": "Nichts.",

  "missing.logged": "Dass es im Log steht.",
  "missing.judged": "Ob das Versprechen gehalten wurde: es folgt einem anderen Protokoll.",
  "missing.replayed": "Dass die Seeds dieses Ergebnis geben.",
  "missing.opened": "Dass die gezeigten Karten die versiegelten sind.",
  "missing.committed-first": "Dass jeder Seed von jemandem kam, der das Versprechen kannte.",
  "missing.yours": "Dass Ihr Seed hineingemischt wurde.",
  "missing.authentic": "Wessen Seeds das sind. Der Betreiber kann Spieler erfunden haben.",
  "missing.seats": "Dass die Plätze vergeben waren, bevor der Betreiber die Karten wissen konnte.",
  "missing.beacon": "Dass die öffentliche Zufallszahl vom Beacon ist.",
  "missing.no-collusion": "Dass Betreiber und Spieler das Ergebnis nicht gemeinsam gewählt haben.",
  "missing.witnessed": "Dass andere dasselbe Log gesehen haben.",
  "missing.complete":
    "Dass zwischen den Runden im Log keine fehlt, etwa eine, die noch einmal gegeben wurde. Eine Prüfung des ganzen Logs zeigt das. Runden, die nie ins Log geschrieben wurden, zeigt nichts.",
  "missing.promise": "Dass dieser Seed vor dem Spiel versprochen war.",

  "how.logged":
    "Ein Browser, der Ed25519 prüft (Chromium 137, Firefox 130, Safari 17 oder neuer), oder ein Beleg und der Schlüssel des Logs.",
  "how.judged": "Ein Programm, das dieses Protokoll kennt.",
  "how.replayed":
    "Der geheime Seed des Betreibers. Er ist am {when} fällig. Fragen Sie dann noch einmal nach dem Beleg.",
  "how.replayed-no-deal": "Ein Ergebnis. Fragen Sie nach der Runde noch einmal nach dem Beleg.",
  "how.replayed-beacon":
    "Die öffentliche Zufallszahl, bei ihrem Beacon geprüft. Fragen Sie ihn nach der Runde.",
  "how.replayed-wrong": "Nichts: die gegebenen Karten sind nicht die, die die Seeds geben.",
  "how.opened": "Eine Öffnung, deren Karten zum Siegel im Log gehören.",
  "how.committed-first":
    "Spieler, die zuerst nur den Hash ihres Seeds geben oder einen Stand des Logs nennen, den sie nach dem Versprechen gesehen haben.",
  "how.yours": "Die Runde mit Ihrem Seed. Vergleichen Sie Namen, Seed und Runde.",
  "how.authentic":
    "Schlüssel, die Sie von den Spielern selbst haben, und Seeds, die damit unterschrieben sind.",
  "how.seats":
    "Eine Runde mit Seeds als Hash, darunter Ihrer oder der eines Spielers, den Sie kennen.",
  "how.beacon": "Die Unterschrift der Beacon-Runde, vom Beacon selbst.",
  "how.no-collusion":
    "Eine Runde, in der zuerst der Hash eines Seeds gegeben wurde, Ihres eigenen oder des unterschriebenen eines Spielers, den Sie kennen; und der Beleg der Sperre, wenn Sie ihn gesichert haben, bevor Sie Ihren Seed geöffnet haben.",
  "how.witnessed":
    "Stände des Logs, die sich andere gemerkt haben. Vergleichen Sie Ihren mit ihren.",
  "how.complete": "Eine Prüfung des ganzen Logs. Jeder kann sie machen.",
  "how.promise": "Das Versprechen, wenn Sie es vor dem Spiel hatten. Geben Sie es oben ein.",

  "more.title": "Weiter",
  "more.watch": "Diesem Mischen zusehen",
  "more.share": "Einen Link machen",
  "more.save": "Beleg speichern",
  "more.another": "Eine andere Hand prüfen",
  "more.link":
    "Der Link enthält den ganzen Beleg. Er wird im Browser gelesen und an niemanden gesendet.",
  "more.too-long":
    "Dieser Beleg ist zu lang für einen Link: der Link hätte {n} Zeichen, und viele Programme schneiden Links bei {most} ab. Senden Sie stattdessen die Datei.",
  "more.key-apart": "Der Schlüssel steht nicht im Link: man soll ihn von einem anderen Ort nehmen.",

  "file.fair": "fair",
  "file.unproved": "nicht bewiesen",
  "file.caught": "ertappt",
  "file.none": "nicht bekannt",
  "file.together": "Alle zusammen",
  "empty.how-title": "Was ein Beleg zeigt",
  "empty.how-1":
    "Vor dem Spiel veröffentlicht der Betreiber ein Versprechen: den Hash eines geheimen Seeds.",
  "empty.how-2": "Jeder Spieler bringt einen Seed mit. Die Karten folgen aus allen Seeds zusammen.",
  "empty.how-3":
    "Danach wird der geheime Seed öffentlich. Jeder kann noch einmal geben und vergleichen.",

  "element.label": "Ein Beleg, in diesem Browser geprüft",
  "element.page": "Auf einer eigenen Seite prüfen",
  "element.origin":
    "Der Beleg liegt auf {host}. Er muss auf dem Rechner dieser Seite liegen, oder auf dem von elements.js.",
  "element.status": "Der Beleg ließ sich nicht holen: Status {status}.",
  "element.large": "Der Beleg hat mehr als 4 MB.",

  "watch.title": "Einem Mischen zusehen",
  "watch.example":
    "Ein Beispiel: zwei Spieler und ein Betreiber. Jeder Zug folgt aus ihren drei Seeds.",
  "watch.of-receipt":
    "Tisch {table}, Runde {round}. Jeder Zug folgt aus den Seeds im Beleg. Ob der Schlüssel des Logs ihn unterschrieben hat, prüft die Seite Prüfen.",
  "watch.by-hand": "Jeder Zug folgt aus den Seeds, die Sie eingegeben haben.",
  "watch.about-names":
    "Eine Verlosung unter Namen. Der Seed ist jedes Mal neu, in diesem Browser gemacht.",
  "watch.about-cycle":
    "Ein Zyklus: jeder zieht jemand anderen. Der Seed ist jedes Mal neu, in diesem Browser gemacht.",
  "watch.some-names": "Ada Ben Chloé Dov Emil Fay Gus Hana Ida Jon",
  "watch.loose": "Noch offen",
  "watch.settled": "Fest",
  "watch.stage": "Das Deck: {n} von {all} stehen fest. Die letzten: {names}.",
  "watch.stage-keys": "Das Deck. Die Leertaste spielt ab, die Pfeile gehen einzeln.",
  "watch.play": "Abspielen",
  "watch.pause": "Anhalten",
  "watch.step": "Ein Schritt",
  "watch.back": "Ein Schritt zurück",
  "watch.start": "Zum Anfang",
  "watch.end": "Zum Ende",
  "watch.speed": "Tempo",
  "watch.position": "Schritt",
  "watch.keys":
    "Tasten: Leertaste spielt ab und hält an, die Pfeile gehen einzeln, Pos1 und Ende springen.",
  "watch.word": "Gezogenes Wort",
  "watch.range": "Plätze zur Wahl",
  "watch.product": "Produkt",
  "watch.place": "Platz",
  "watch.rest": "Rest",
  "watch.limit": "Abgelehnt unter",
  "watch.decision": "Entscheidung",
  "watch.accepted": "angenommen",
  "watch.refused": "abgelehnt",
  "watch.bar-places": "Alle Wörter, auf {range} Plätze verteilt. Die Nadel ist das Wort.",
  "watch.bar-rest":
    "Der Rest innerhalb des Platzes. Schraffiert: die {limit} von 4.294.967.296 Wörtern, die ungerecht wären (breiter gezeichnet, als sie sind).",
  "watch.bar-bytes":
    "Der Rest innerhalb des Platzes. Schraffiert: die {limit} von {words} Resten, die ungerecht wären.",
  "watch.bytes": "Ablehnungen sehen",
  "watch.about-bytes":
    "Dieselbe Regel mit Bytes statt Wörtern, damit man Ablehnungen sieht. So wird nichts gegeben: bei 32 Bit kommt eine Ablehnung einmal in vielen Millionen Wörtern.",
  "watch.no-word-yet": "Noch ist kein Wort gezogen.",
  "watch.no-word": "Ein Platz ist übrig, also wird kein Wort gezogen.",
  "watch.s-start":
    "{n} Dinge liegen in ihrer ersten Ordnung. Jede Wahl nimmt ein Wort aus einem Strom, den alle Seeds gemeinsam machen.",
  "watch.s-swap":
    "Schritt {k}: das Wort gibt Platz {j} von {range}. {chosen} und {other} tauschen, und {chosen} steht fest als Nummer {t}.",
  "watch.s-stays":
    "Schritt {k}: das Wort gibt Platz {j} von {range}, den letzten. {chosen} bleibt und steht fest als Nummer {t}.",
  "watch.s-draws":
    "Schritt {k}: das Wort gibt Platz {j} von {range}. {chosen} und {other} tauschen: {owner} zieht {chosen}.",
  "watch.s-refused":
    "Schritt {k}: dieses Wort wird abgelehnt, weil sonst manche Plätze ein Wort mehr hätten als andere. Das nächste entscheidet.",
  "watch.s-only": "Schritt {k}: nur {chosen} ist übrig und steht fest als Nummer {t}.",
  "watch.s-only-two":
    "Schritt {k}: {chosen} und {other} sind übrig und müssen tauschen. Beide stehen fest.",
  "watch.s-end": "Alle {n} sind gegeben.",
  "watch.other": "Einem anderen Mischen zusehen",
  "watch.other-lead":
    "Legen Sie einen Beleg ab, dessen Seed öffentlich ist, oder eine Liste von Namen, einen pro Zeile. Oder geben Sie Seeds ein.",
  "watch.receipt": "Beleg oder Liste wählen",
  "watch.names": "Eine Verlosung",
  "watch.cycle": "Wichteln: ein Zyklus",
  "watch.go": "Dem zusehen",
  "watch.no-seeds":
    "Der geheime Seed dieses Belegs ist noch nicht öffentlich, oder eine öffentliche Zufallszahl ist hineingemischt. Es gibt nichts zu sehen.",
  "watch.too-many": "Hier sind es {n} Dinge. Mehr als {most} lassen sich nicht zeigen.",

  "lab.title": "Was anderswo schiefgeht",
  "lab.lead":
    "Jedes Verfahren läuft {rate} Mal in der Sekunde. Ein Quadrat ist eine Karte an einem Platz. Ohne Farbe ist es richtig; blau ist zu selten, rot zu oft.",
  "lab.choose": "Ein falsches Verfahren",
  "lab.run": "Beide laufen lassen",
  "lab.stop": "Anhalten",
  "lab.right": "Das richtige: Fisher–Yates ohne Verzerrung",
  "lab.count": "je {n} Mal gemischt",
  "lab.nothing": "Noch ist nichts gezählt.",
  "lab.even":
    "{n} Mal gemischt, und es sieht gleichmäßig aus: {away} Standardabweichungen von gleichmäßig.",
  "lab.uneven":
    "{n} Mal gemischt, und es ist nicht gleichmäßig: {away} Standardabweichungen von gleichmäßig.",
  "lab.furthest": "Am weitesten daneben: {item} an Platz {place}, {ratio} Mal so oft wie richtig.",
  "lab.axes": "Nach unten: der Platz der Karte im neuen Deck. Nach rechts: ihr Platz beim Geben.",
  "lab.half": "halb so oft",
  "lab.due": "wie es sein soll",
  "lab.twice": "doppelt so oft",
  "lab.shell":
    "Dasselbe in einer Shell: fairdeal lab. Manche Fehler sieht man hier nicht, etwa zu wenige Seeds; fairdeal lab seed-16 zeigt sie.",
  "lab.swap-any.title": "Mit irgendeinem Platz tauschen",
  "lab.swap-any.says":
    "Jeder Platz wird der Reihe nach mit irgendeinem aller n Plätze getauscht. Das sind n^n Wege, und sie lassen sich nicht gleichmäßig auf n! Ordnungen verteilen. Das ist der häufigste Fehler.",
  "lab.compare-tim.title": "Zufällig sortieren",
  "lab.compare-tim.says":
    "sort(() => Math.random() - 0.5). Ein Sortieren erwartet stimmige Antworten; mit zufälligen Antworten hängt die Ordnung davon ab, wie das Sortieren innen arbeitet.",
  "lab.compare-insertion.title": "Zufällig einsortieren",
  "lab.compare-insertion.says":
    "So machten es manche Browser bei kurzen Listen. Jede Karte bewegt sich im Schnitt um einen Platz, also bleiben die meisten in der Nähe.",
  "lab.modulo-8.title": "Ein Byte, modulo der Auswahl",
  "lab.modulo-8.says":
    "256 ist nicht durch 52 teilbar. Die ersten Plätze bekommen ein Byte mehr als die anderen, ein Viertel zu viel.",
  "lab.random-swaps.title": "n Mal zwei beliebige tauschen",
  "lab.random-swaps.says":
    "Eine von sieben Karten wird nie bewegt; nur eine von 52 sollte bleiben.",
  "lab.never-self.title": "Mit irgendeinem anderen Platz tauschen",
  "lab.never-self.says":
    "Jeder Tausch macht aus einer geraden Ordnung eine ungerade. Nach 52 davon kann die Hälfte aller Ordnungen nicht vorkommen.",
  "lab.sattolo.title": "„Kleiner“ statt „höchstens“",
  "lab.sattolo.says":
    "Mit einem falschen Zeichen im Code bleibt keine Karte je an ihrem Platz. Richtig fürs Wichteln, falsch für Karten.",
  "lab.last-stays.title": "Die Schleife beginnt eins zu spät",
  "lab.last-stays.says": "Die letzte Karte wird nie bewegt und immer zuerst gegeben.",
  "lab.xor-swap.title": "Mit XOR tauschen",
  "lab.xor-swap.says":
    "Ein Platz, der mit sich selbst getauscht wird, wird zur ersten Karte. Karten verschwinden, und die erste Karte kommt mehrmals vor.",
  "lab.riffle-5.title": "Fünfmal von Hand riffeln",
  "lab.riffle-5.says":
    "Abheben und die Karten ineinanderfallen lassen, fünfmal. Die alte Ordnung ist noch zu sehen.",
  "lab.riffle-7.title": "Siebenmal von Hand riffeln",
  "lab.riffle-7.says":
    "Nach sieben Malen beginnen 52 Karten gemischt auszusehen. Eine lange Zählung zeigt den Unterschied.",

  "finding.not-canonical.title": "Ein Eintrag ist nicht in der einen erlaubten Form geschrieben.",
  "finding.not-canonical.means":
    "Jeder Eintrag hat genau eine Schreibweise, damit niemand eine zweite Bedeutung darin verstecken kann. Dieser Eintrag gilt nicht.",
  "finding.invalid-entry.title": "Ein Eintrag des Logs ist nicht zu verstehen.",
  "finding.invalid-entry.means":
    "Er bricht die Grammatik des Logs. Nichts, was er behauptet, lässt sich prüfen.",
  "finding.no-commitment.title":
    "Etwas geschah unter einem Versprechen, das niemand gegeben hatte.",
  "finding.no-commitment.means":
    "Ein Ergebnis beweist nur etwas, wenn sein Geheimnis vorher feststand. Das Versprechen davor fehlt hier.",
  "finding.duplicate-commitment.title": "Dasselbe Versprechen wurde zweimal veröffentlicht.",
  "finding.duplicate-commitment.means":
    "Wer das Geheimnis des ersten kennt, kennt die Karten des zweiten.",
  "finding.after-reveal.title": "Etwas geschah, nachdem das Geheimnis bekannt war.",
  "finding.after-reveal.means":
    "Sobald das Geheimnis öffentlich ist, kann jeder alle Karten vorausberechnen.",
  "finding.after-void.title": "Etwas geschah unter einem Versprechen, das zurückgezogen war.",
  "finding.after-void.means": "Unter einem zurückgezogenen Versprechen darf nichts mehr geschehen.",
  "finding.void-after-use.title": "Ein Versprechen wurde zurückgezogen, nachdem es benutzt war.",
  "finding.void-after-use.means":
    "Ein benutztes Versprechen muss aufgedeckt werden. Es zurückzuziehen, würde den Beweis verbergen.",
  "finding.open-round.title": "Eine Runde blieb offen, während etwas anderes geschah.",
  "finding.open-round.means":
    "Sind die Seeds festgelegt, muss das Geben oder eine Absage folgen. Sonst könnte der Betreiber warten und wählen.",
  "finding.nonce-gap.title": "Eine Runde fehlt, kommt doppelt oder in falscher Reihenfolge.",
  "finding.nonce-gap.means":
    "Runden sind lückenlos gezählt. Eine doppelte kann eine sein, die noch einmal versucht wurde.",
  "finding.too-many-rounds.title": "Es wurden mehr Runden gegeben als versprochen.",
  "finding.too-many-rounds.means": "Das Versprechen sagt, für wie viele Runden es gilt.",
  "finding.seed-mismatch.title": "Das aufgedeckte Geheimnis ist nicht das versprochene.",
  "finding.seed-mismatch.means":
    "Nichts zeigt also, dass irgendein Ergebnis unter diesem Versprechen fair war.",
  "finding.out-of-turn.title": "Ein Versprechen kam, bevor es an der Reihe war.",
  "finding.out-of-turn.means":
    "Ein Tisch hat ein offenes Versprechen, damit der Betreiber nicht mehrere hält und unter ihnen wählt.",
  "finding.time-runs-back.title": "Ein Eintrag sagt, er sei älter als der davor.",
  "finding.time-runs-back.means":
    "Die Reihenfolge im Log ist sicher. Die Zeiten schreibt der Betreiber, und hier widersprechen sie der Reihenfolge.",
  "finding.split-view.title": "Einem Spieler wurde ein anderes Log gezeigt.",
  "finding.split-view.means":
    "Ein Spieler hat einen unterschriebenen Stand, der nicht zu diesem Log gehört. Das beweist, dass es zwei Logs gibt.",
  "finding.contribution-signature.title":
    "Die Unterschrift eines Spielers passt nicht zum Eintrag.",
  "finding.contribution-signature.means":
    "Der eingetragene Beitrag ist nicht der, den der Schlüssel des Spielers unterschrieben hat: er wurde geändert, verschoben oder nie unterschrieben.",
  "finding.weak-mixing.title": "Der Anteil der Spieler am Mischen war schwächer als versprochen.",
  "finding.weak-mixing.means":
    "Das Versprechen sagt, wie Seeds hineingemischt werden. Diese Runde hat weniger davon.",
  "finding.beacon-round.title": "Die falsche öffentliche Zufallszahl wurde benutzt.",
  "finding.beacon-round.means":
    "Die Regel sagt, welche Runde des Beacons zählt. Wer eine andere nimmt, kann die Karten wählen.",
  "finding.beacon-signature.title": "Die öffentliche Zufallszahl ist nicht als echt gezeigt.",
  "finding.beacon-signature.means":
    "Ein Beacon unterschreibt seine Zahlen. Hier fehlt die Unterschrift oder ist falsch.",
  "finding.lock-mismatch.title": "Das Ergebnis passt nicht zur Festlegung davor.",
  "finding.lock-mismatch.means":
    "Die Seeds der Spieler standen fest. Dieses Ergebnis nennt andere oder keine.",
  "finding.unopened-hash.title": "Der verdeckte Seed eines Spielers fehlt oder wurde geändert.",
  "finding.unopened-hash.means":
    "Ein Spieler hatte einen Seed verdeckt festgelegt. Er wird nicht geöffnet, oder es ist ein anderer.",
  "finding.result-mismatch.title": "Die Karten sind nicht die, die die Seeds geben.",
  "finding.result-mismatch.means":
    "Die Rechnung ist exakt. Jede Abweichung heißt, dass nicht nach der Regel gegeben wurde.",
  "finding.late-reveal.title": "Das Geheimnis kam nach seiner Frist heraus.",
  "finding.late-reveal.means": "Bis dahin konnte niemand die Ergebnisse prüfen.",
  "finding.overdue.title": "Ein Geheimnis, das öffentlich sein sollte, fehlt noch.",
  "finding.overdue.means":
    "Fragen Sie den Betreiber danach. Ein Geheimnis, das nie aufgedeckt wird, könnte ein falsches Ergebnis beweisen.",
  "finding.time-ahead.title": "Das Log ist der Zeit voraus.",
  "finding.time-ahead.means": "Nach dieser Uhr liegt ein Eintrag in der Zukunft.",
  "finding.tree-mismatch.title": "Das steht nicht im unterschriebenen Log.",
  "finding.tree-mismatch.means":
    "Der Inhalt dieser Datei und das unterschriebene Log widersprechen sich. Fragen Sie noch einmal nach dem Beleg, um eine beschädigte Kopie auszuschließen.",
  "finding.bad-signature.title": "Der Schlüssel des Logs hat das nicht richtig unterschrieben.",
  "finding.bad-signature.means":
    "Das allein beschuldigt niemanden. Prüfen Sie auch, ob der Schlüssel der richtige ist.",
  "finding.other-key.title":
    "Gleicher Name, anderer Schlüssel: {theirs} hat das unterschrieben, Ihrer ist {yours}.",
  "finding.other-key.means":
    "Der Schlüssel macht ein Log aus, nicht sein Name. Das ist von einem anderen Betreiber, oder der Betreiber hat einen neuen Schlüssel. Nehmen Sie den Schlüssel von der Seite des Betreibers oder von anderen Spielern, nicht von dem, der Ihnen diese Datei gab.",
  "finding.inconsistent.title": "Es gibt zwei Logs, oder eines wurde umgeschrieben.",
  "finding.inconsistent.means":
    "Beides ist unterschrieben, und nur eines kann wahr sein. Heben Sie beide Dateien auf: zusammen sind sie der Beweis.",
  "finding.rolled-back.title": "Das Log hat weniger Einträge als ein Stand, der gemerkt wurde.",
  "finding.rolled-back.means":
    "Das kann eine alte Kopie sein, also wird niemand beschuldigt. Lesen Sie das Log noch einmal, vom Betreiber selbst.",
  "finding.contribution-mismatch.title": "In die Runde kam nicht, was der Spieler beigetragen hat.",
  "finding.contribution-mismatch.means":
    "Es war ein anderer Seed, Stand oder Schlüssel, als der Spieler aufgehoben hat.",
  "finding.opening-mismatch.title": "Die geöffneten Karten sind nicht die versiegelten.",
  "finding.opening-mismatch.means":
    "So eine Datei kann jeder um ein unterschriebenes Ergebnis schreiben. Fragen Sie den Betreiber noch einmal nach der Öffnung.",
  "finding.placed-mismatch.title": "Eine Karte wurde für den falschen Platz gezeigt.",
  "finding.placed-mismatch.means":
    "Das Versprechen legt fest, wer welche Karte bekommt. Diese gehört jemand anderem, ist verbrannt oder gehört niemandem.",
  "finding.invalid-receipt.title": "Diese Datei ist kein Beleg.",
  "finding.invalid-receipt.means":
    "Sie hat nicht die Form eines Belegs oder einer Öffnung. Fragen Sie noch einmal nach der Datei.",

  ...check,
  ...explore,
};
