// What may be a mistake in the list of a new raffle, and the lines that a reader may mean.

import assert from "node:assert/strict";
import { test } from "node:test";

import { json } from "../fixtures.js";
import { compareNumbers, numbersIn } from "../workers/raffle-number.js";
import { doubtsOf, linesLike, repeated, severalOf } from "../workers/raffle-list.js";

const kindsOf = (lines, isHashed = false) => doubtsOf(lines, isHashed).map(({ kind }) => kind);

test("an honest list has no doubts", () => {
  for (const lines of [
    ["anna", "bob", "anna"],
    ["ticket 01", "ticket 02", "ticket 118"],
    ["row 3 seat 12", "row 12 seat 3"],
    ["1", "2", "3"],
    ["Max3", "Apollo 11", "Anna-Lena Berg", "Müller, Hans"],
    ["Anna Summers", "Totally Anna"],
  ])
    assert.deepEqual(kindsOf(lines), [], lines.join());
  assert.deepEqual(kindsOf(["anna@club.example", "bob.b+x@mail.club.example"], true), []);
  // Members have numbers, and no addresses.
  assert.deepEqual(kindsOf(["member-17", "member-18"], true), []);
});

test("each kind of mistake is found, with its lines", () => {
  for (const [kind, lines, named] of [
    ["heading", ["Members 2023", "anna"], ["Members 2023"]],
    ["heading", ["name;tickets", "anna"], ["name;tickets"]],
    ["alike", ["Hans Müller", "bob", "müller,  hans"], ["Hans Müller", "müller,  hans"]],
    ["alike", ["Mu\u0308ller", "Müller"], ["Mu\u0308ller", "Müller"]],
    ["counted", ["Anna Berg x3", "bob"], ["Anna Berg x3"]],
    ["counted", ["Anna Berg (3)", "bob"], ["Anna Berg (3)"]],
    ["counted", ["Anna Berg,3", "bob"], ["Anna Berg,3"]],
    ["counted", ["Anna; 3", "3 x Bob"], ["Anna; 3", "3 x Bob"]],
    ["counted", ["anna\t3", "bob"], ["anna\t3"]],
    ["counted", ["Cara Ott - 3 tickets", "Bo: 2 Lose"], ["Cara Ott - 3 tickets", "Bo: 2 Lose"]],
    ["one", ["Anna, Bob, Carl"], ["Anna, Bob, Carl"]],
    ["marked", ["1. Anna", "2. Bob"], ["1. Anna"]],
    ["marked", ["- Anna", "- Bob", "Carla"], ["- Anna"]],
    ["total", ["anna", "bob", "Total: 2"], ["Total: 2"]],
    ["tab", ["anna\tBerg", "bob"], ["anna\tBerg"]],
  ])
    assert.deepEqual(doubtsOf(lines, false), [{ kind, lines: named }], lines.join());
  const addresses = ["a@club.example", "b@club.example", "c@club.example", "d@club.example"];
  const wrong = ["ben@club", "felix@club,example", "carla@club.example;", "Bo <bo@club.example>"];
  for (const each of wrong)
    assert.deepEqual(doubtsOf([...addresses, each], true), [{ kind: "address", lines: [each] }]);
  // Patterns that go over blanks again and again would take minutes.
  for (const blank of [" ", "\t", "  \t", ";", "("]) {
    assert.ok(doubtsOf([`bob${blank.repeat(30_000)}x`, "anna"], false).length <= 1, blank);
    assert.equal(repeated(`bob${blank.repeat(30_000)}3x`).includes("bob"), true);
  }
  const many = Array.from({ length: 50 }, (_, i) => `anna${i} x2`);
  assert.equal(doubtsOf(many, false)[0].lines.length, 8);
});

test("lines with a number of tickets are written so often", () => {
  assert.equal(
    repeated("Anna Berg x3\nbob\n2 x Eve\r\nMax (1)"),
    [...["Anna Berg", "Anna Berg", "Anna Berg", "bob", "Eve", "Eve", "Max"]].join("\n"),
  );
  assert.equal(repeated("Anna x0\nticket 118"), "Anna x0\nticket 118");
  assert.deepEqual(severalOf(repeated("Anna x3\nbob").split("\n")), [["Anna", 3]]);
});

test("a reader is offered the lines that they may mean, the likest first", () => {
  const lines = ["Johanna Berg", "Müller, Hans", "Anna Berg", "Anna Berg", "ticket 12", "Zoë"];
  for (const [text, ...wanted] of [
    ["anna berg", "Anna Berg", "Johanna Berg"],
    ["Berg Anna", "Anna Berg"],
    ["Ana Berg", "Anna Berg"],
    ["Anan Berg", "Anna Berg"],
    ["Anna Bergg", "Anna Berg"],
    ["hans mueller", "Müller, Hans"],
    ["zoe", "Zoë"],
    ["ticket 13"],
    ["an"],
    ["Bert"],
  ])
    assert.deepEqual(linesLike(text, lines), { alike: wanted, isMore: false }, text);
  const many = Array.from({ length: 13 }, (_, i) => `Keller ${i}`);
  assert.deepEqual(linesLike("keller", many), { alike: many.slice(0, 12), isMore: true });
});

test("a message has the numbers that the command finds in it", () => {
  const { messages } = json("raffle-messages.json");
  assert.ok(messages.length > 20);
  for (const { about, text, numbers } of messages)
    assert.deepEqual(numbersIn(text), numbers, about);
  const [own] = messages[0].numbers;
  const other = own.replace(/^..../, "0000");
  assert.deepEqual(compareNumbers(own, own), { is: "same" });
  assert.deepEqual(compareNumbers(other, own), { is: "other", number: other });
  assert.deepEqual(compareNumbers(`${own} ${other}`, own), { is: "several" });
  assert.deepEqual(compareNumbers("", own), { is: "none" });
  // A long text takes no time.
  numbersIn("dead-".repeat(1_000_000));
  numbersIn(`dead-${" ".repeat(19_000)}beef`);
});
