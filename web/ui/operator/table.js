// One table: its promise, the round that is played, and what comes next.

import { tableLink } from "../explore/route.js";
import { number, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { handOf } from "./api.js";
import { Collect } from "./collect.js";
import { commitForm } from "./commit.js";
import { askOver, askReveal, askShow, askVoid } from "./dialogs.js";
import { gameName, streetName } from "./games.js";
import { drawBoard, drawSeats } from "./hand.js";
import { isOverdue, urgency } from "./overview.js";
import { redraw, save } from "./parts.js";
import { drawRefusal } from "./refusal.js";
import {
  drawEnded,
  drawForPlayers,
  drawLast,
  drawPromise,
  drawTabs,
  nonceOf,
  shortened,
} from "./table-parts.js";
import { untilDone } from "./waiting.js";

/** @typedef {import("./api.js").Api} Api */
/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("./api.js").Round} Round */
/** @typedef {"collect" | "locked" | "play" | "dealt" | "used-up" | "overdue" | "ended"} Stage */

export class TableView {
  /** @type {Standing | null} */
  #standing = null;
  /** The shown round, if it has begun. @type {Round | null} */
  #round = null;
  /** The last dealt round, while the next one is collected. @type {Round | null} */
  #last = null;
  /** When the cards of each seat were opened. @type {Map<string, number>} */
  #opened = new Map();
  /** What the players gave, by the round and whether it is locked. @type {Map<string, Collect>} */
  #collects = new Map();
  /**
   * The round that the operator looks at, until it goes on: the last one of a promise, too, when
   * the table already has its next promise.
   * @type {{commitment: string, nonce: number} | null}
   */
  #kept = null;
  #turn = 0;
  #isBusy = false;
  #drawn = "";
  #cloth = el("section", { class: "cloth", id: "cloth" });
  #told = el("div", { class: "told" });
  #waits = el("div", { class: "row waits", role: "status" });
  #lower = el("div", { class: "lower" });

  /**
   * @param {Api} api
   * @param {() => string | undefined} commitment the one to show: a table's last one may change
   * @param {{put: (standing: Standing) => void, left: (error: unknown) => boolean}} hear `left`:
   *   whether the token is no longer taken, so that this view has ended
   */
  constructor(api, commitment, hear) {
    this.api = api;
    this.commitment = commitment;
    this.hear = hear;
    this.element = el("div", { class: "view" }, this.#told, this.#cloth, this.#lower);
  }

  focus() {
    this.#cloth.querySelector("h1")?.focus();
  }

  /** Reads the state again. */
  async update() {
    const turn = ++this.#turn;
    const id = this.#kept?.commitment ?? this.commitment();
    if (id === undefined) return;
    try {
      const standing = await this.api.standing(id);
      const nonce = this.#kept?.nonce ?? nonceOf(standing);
      const round = await this.#begun(standing, nonce);
      const isNext = round === null || nonce >= standing.next;
      const last =
        isNext && standing.next > 0 ? await this.#begun(standing, standing.next - 1) : null;
      const opened = round === null ? new Map() : await this.api.given(standing, round);
      if (turn !== this.#turn) return;
      [this.#standing, this.#round, this.#last, this.#opened] = [standing, round, last, opened];
      this.hear.put(standing);
      this.#draw();
    } catch (error) {
      if (turn === this.#turn && !this.hear.left(error)) this.#refuse(error);
    }
  }

  /** @param {{name: string, bytes: Uint8Array}[]} files */
  take(files) {
    this.#collect()?.take(files);
  }

  /** @param {Standing} standing @param {number} nonce @returns {Promise<Round | null>} */
  async #begun({ commitment, next, locked }, nonce) {
    return nonce < next || nonce === locked ? this.api.round(commitment, nonce) : null;
  }

  /** @returns {Stage} */
  #stage() {
    const standing = /** @type {Standing} */ (this.#standing);
    const { commitment, state } = standing;
    const goesOn = this.commitment() !== commitment;
    if (state === "revealed" || state === "voided") return goesOn ? "dealt" : "ended";
    if (this.#round?.state === "locked") return "locked";
    if (this.#round?.in_play) return "play";
    if (isOverdue(standing)) return "overdue";
    if (this.#round === null) return "collect";
    return state === "used-up" && !goesOn ? "used-up" : "dealt";
  }

  /** What the players gave for the shown round, if something is still to be given. */
  #collect() {
    const [standing, round, stage] = [this.#standing, this.#round, this.#stage()];
    if (standing === null || (stage !== "collect" && stage !== "locked")) return null;
    const nonce = round?.nonce ?? standing.next;
    const name = `${standing.commitment} ${nonce} ${stage}`;
    let found = this.#collects.get(name);
    if (found === undefined) {
      found = new Collect(standing, nonce, round, () => this.#draw());
      this.#collects.set(name, found);
    }
    return found;
  }

  /** @param {unknown} error */
  #refuse(error) {
    this.#told.replaceChildren(drawRefusal(error));
    this.#told.scrollIntoView({ block: "nearest" });
  }

  /**
   * Does something at the service, and reads the state again.
   * @param {string} what
   * @param {(signal: AbortSignal) => Promise<void>} act
   */
  async #act(what, act) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#told.replaceChildren();
    this.#draw();
    let isDone = true;
    try {
      isDone = await untilDone(this.#waits, what, act);
    } catch (error) {
      if (this.hear.left(error)) return;
      this.#refuse(error);
    } finally {
      this.#isBusy = false;
    }
    if (isDone) await this.update();
    this.#draw();
  }

  #draw() {
    const standing = this.#standing;
    if (standing === null) return;
    const [collect, stage] = [this.#collect(), this.#stage()];
    const state = JSON.stringify([
      stage,
      standing,
      this.#round,
      this.#last,
      [...this.#opened],
      collect === null ? null : [...collect.given.keys()],
      this.#isBusy,
      isOverdue(standing),
    ]);
    if (state === this.#drawn) return;
    this.#drawn = state;
    document.documentElement.dataset.stage = this.#isBusy ? "busy" : stage;
    this.#cloth.className = `cloth ${stage === "ended" ? "none" : urgency(standing)}`;
    redraw(this.#cloth, ...this.#drawCloth(standing, stage, collect));
    const again = stage === "ended" ? this.#drawAgain(standing) : null;
    redraw(
      this.#lower,
      el(
        "div",
        { class: "column" },
        again,
        stage === "collect" && collect !== null ? drawForPlayers(standing, collect.nonce) : null,
        this.#drawLast(standing),
      ),
      drawPromise(standing, {
        round: this.#round,
        isMain: stage === "used-up" || stage === "overdue",
        askVoid: () => this.#askVoid(),
        askReveal: () => this.#askReveal(),
      }),
    );
  }

  /**
   * @param {Standing} standing
   * @param {Stage} stage
   * @param {Collect | null} collect
   */
  #drawCloth(standing, stage, collect) {
    const round = this.#round;
    const n = number((round?.nonce ?? standing.next) + 1);
    const isDealt = round?.state === "dealt";
    const hand = isDealt ? handOf(standing, round) : null;
    const title =
      stage === "ended"
        ? t(`operator.stage.${/** @type {"revealed" | "voided"} */ (standing.state)}`)
        : round?.state === "voided"
          ? t("operator.stage.round-voided", { n })
          : stage === "dealt" && standing.sealed
            ? t("operator.stage.over", { n })
            : t(`operator.stage.${stage}`, { n });
    // While a hand is in play its next street is under the board, near the thumb.
    const actions =
      stage === "ended"
        ? drawEnded(standing)
        : el("div", { class: "row actions" }, this.#actions(standing, stage, collect));
    const parts = [
      el(
        "p",
        { class: "about" },
        el("strong", {}, theirs(standing.table, 128)),
        ` · ${gameName(standing)} · ${t(standing.sealed ? "operator.is-sealed" : "operator.is-open")}`,
      ),
      drawTabs(standing, round?.nonce ?? standing.next, (nonce) => {
        this.#kept = { commitment: standing.commitment, nonce };
        void this.update();
      }),
      el("h1", { tabindex: "-1" }, title),
      hand === null ? null : drawBoard(hand, standing.layout),
      ...(collect === null ? [] : [drawSeats(collect.seats())]),
      actions,
      this.#waits,
      hand === null ? null : drawSeats(hand.seats.map((seat) => this.#seat(seat, stage))),
    ];
    const needsFiles = collect !== null && (collect.lock === null || collect.hashed.length > 0);
    return [el("div", { class: "main-part" }, parts), needsFiles ? collect.element : null];
  }

  /**
   * @param {{name: string, cards: import("./api.js").Shown[]}} seat
   * @param {Stage} stage
   */
  #seat({ name, cards }, stage) {
    const at = this.#opened.get(name);
    const isHidden = cards.some((card) => card === null);
    const id = this.#round?.seats?.indexOf(name);
    return {
      name,
      cards,
      mark:
        at === undefined || !isHidden
          ? null
          : el("span", { class: "mark here" }, t("operator.mark.given")),
      below:
        stage !== "play" || !isHidden
          ? undefined
          : [
              this.#button(
                `give-${id}`,
                t("operator.give", { name: shortened(name) }),
                async (signal) => {
                  const [standing, round] = this.#both();
                  const file = await this.api.open(standing, round, { seat: name }, false, signal);
                  save(`${name}-${standing.table}-${round.nonce + 1}.json`, file);
                },
              ),
              this.#asking(
                `show-${id}`,
                t("operator.show.seat"),
                () =>
                  askShow(name, async (signal) => {
                    await this.api.open(...this.#both(), { seat: name }, true, signal);
                    await this.update();
                  }),
                { kind: "plain" },
              ),
            ],
    };
  }

  /** @returns {[Standing, Round]} */
  #both() {
    return [/** @type {Standing} */ (this.#standing), /** @type {Round} */ (this.#round)];
  }

  /**
   * @param {string} id
   * @param {string} text
   * @param {(signal: AbortSignal) => Promise<void>} act
   * @param {{kind?: string, disabled?: boolean}} [more]
   */
  #button(id, text, act, more) {
    return this.#asking(id, text, () => void this.#act(text, act), more);
  }

  /**
   * A button that opens a question.
   * @param {string} id
   * @param {string} text
   * @param {() => void} click
   * @param {{kind?: string, disabled?: boolean}} [more]
   */
  #asking(id, text, click, { kind = "", disabled = false } = {}) {
    return el(
      "button",
      { type: "button", id, class: kind, disabled: disabled || this.#isBusy, click },
      text,
    );
  }

  /**
   * @param {Standing} standing
   * @param {Stage} stage
   * @param {Collect | null} collect
   */
  #actions(standing, stage, collect) {
    const { layout } = standing;
    if (stage === "collect" && collect !== null) return this.#beforeLock(standing, collect);
    if (stage === "locked" && collect !== null) {
      const missing = collect.missing.length;
      const all = collect.hashed.length;
      return [
        this.#button(
          "deal",
          t("operator.deal"),
          (signal) => this.#deal(standing, collect, signal),
          {
            kind: "first",
            disabled: missing > 0,
          },
        ),
        this.#receipt(standing, collect.nonce, "lock-receipt"),
        missing === 0
          ? null
          : el(
              "span",
              {},
              t("operator.still-missing", { here: number(all - missing), all: number(all) }),
            ),
        el("p", { class: "soft small" }, t("operator.lock-receipt-hint")),
      ];
    }
    if (stage === "play") {
      const hand = handOf(.../** @type {[Standing, Round]} */ (this.#both()));
      const closed = hand.board.findIndex((cards) => cards.some((card) => card === null));
      return [
        layout === undefined ? el("p", {}, t("operator.no-layout")) : null,
        closed < 0
          ? null
          : this.#button(
              `street-${closed + 1}`,
              t("operator.open-street", { street: streetName(layout, closed + 1) }),
              async (signal) =>
                void (await this.api.open(...this.#both(), { street: closed + 1 }, true, signal)),
              { kind: "first" },
            ),
        this.#asking("over", t("operator.over"), () => this.#askOver(), {
          kind: closed < 0 ? "first" : "",
        }),
      ];
    }
    if (stage === "used-up" || stage === "overdue")
      return [
        this.#asking("reveal-now", t("operator.reveal.open"), () => this.#askReveal(), {
          kind: "first",
        }),
      ];
    return [
      this.#button("next-round", t("operator.next-round"), async () => void (this.#kept = null), {
        kind: "first",
      }),
    ];
  }

  /** @param {Standing} standing @param {Collect} collect */
  #beforeLock(standing, collect) {
    if (collect.given.size === 0) return [];
    const n = number(collect.given.size);
    // Only a lock fixes the seats before the dealer can know the cards.
    const canDeal = standing.layout === undefined && collect.isClear;
    const lock = this.#button(
      "lock",
      t("operator.lock", { n }),
      async (signal) => {
        const seats = [...collect.given.keys()];
        const contributions = [...collect.given.values()];
        await this.api.lock(
          standing.commitment,
          { nonce: collect.nonce, contributions, seats },
          signal,
        );
      },
      { kind: canDeal ? "" : "first" },
    );
    if (!canDeal) return [lock];
    return [
      this.#button(
        "deal",
        t("operator.deal"),
        (signal) => this.#deal(standing, collect, signal, [...collect.given.keys()]),
        { kind: "first" },
      ),
      lock,
    ];
  }

  /**
   * @param {Standing} standing
   * @param {Collect} collect
   * @param {AbortSignal} signal
   * @param {string[]} [seats]
   */
  async #deal({ commitment }, collect, signal, seats) {
    const { nonce } = collect;
    const contributions = [...collect.given.values()];
    await this.api.deal(commitment, { nonce, contributions, seats }, signal);
    // Opened seeds are in the log now, and are kept nowhere else.
    this.#collects.clear();
    this.#kept = { commitment, nonce };
  }

  /**
   * @param {Standing} standing
   * @param {number} nonce
   * @param {"receipt" | "lock-receipt"} name
   */
  #receipt({ commitment, table }, nonce, name) {
    return this.#button(name, t(`operator.${name}`), async () => {
      save(`${name}-${table}-${nonce + 1}.json`, await this.api.receipt(commitment, nonce));
    });
  }

  /** The round before, with its receipt. @param {Standing} standing */
  #drawLast(standing) {
    const round = this.#last ?? (this.#round?.state === "locked" ? null : this.#round);
    if (round === null) return null;
    return drawLast(standing, round, {
      isShown: round === this.#round,
      receipt: this.#receipt(standing, round.nonce, "receipt"),
    });
  }

  /** A new promise for a table whose promise has ended. @param {Standing} standing */
  #drawAgain(standing) {
    return el(
      "section",
      { class: "stack" },
      el("h2", {}, t("operator.again")),
      commitForm({
        table: standing.table,
        before: standing,
        commit: async (terms, signal) => {
          const { commitment } = await this.api.commit(terms, signal);
          this.hear.put(await this.api.standing(commitment));
          location.hash = tableLink(standing.table);
          await this.update();
        },
      }),
    );
  }

  #askOver() {
    const [standing, { nonce }] = this.#both();
    const { commitment, next, rounds, in_play: inPlay = [] } = standing;
    askOver(nonce, next >= rounds && inPlay.length < 2, async (signal) => {
      await this.api.done(commitment, nonce, signal);
      this.#kept = { commitment, nonce };
      await this.update();
      this.focus();
    });
  }

  #askReveal() {
    const [standing] = this.#both();
    askReveal(standing, async (request, signal) => {
      await this.api.reveal(standing.commitment, request, signal);
      await this.update();
      this.focus();
    });
  }

  #askVoid() {
    const [standing, round] = this.#both();
    askVoid(round?.state === "locked" ? round : null, async (request, signal) => {
      await this.api.void(standing.commitment, request, signal);
      this.#kept = null;
      await this.update();
      this.focus();
    });
  }
}
