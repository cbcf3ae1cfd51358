import assert from "node:assert/strict";
import { test } from "node:test";

import { KINDS, compareHands, worth } from "../ui/poker.js";

const hand = (text) => text.split(" ");
/** From the worst to the best, each better than the hand before it. */
const ORDER = [
  "7c 5d 4h 3s 2c",
  "Kc 9d 8h 3s 2c",
  "Ac 9d 8h 3s 2c",
  "2c 2d 5h 4s 3c",
  "2c 2d 6h 4s 3c",
  "Ac Ad 4h 3s 2c",
  "3c 3d 2h 2s 4c",
  "Ac Ad 2h 2s 4c",
  "2c 2d 2h 4s 3c",
  "Ac 2d 3h 4s 5c",
  "2c 3d 4h 5s 6c",
  "Tc Jd Qh Ks Ac",
  "2c 3c 4c 5c 7c",
  "Ac 3c 4c 5c 7c",
  "2c 2d 2h 3s 3c",
  "3c 3d 3h 2s 2c",
  "2c 2d 2h 2s 3c",
  "Ac 2c 3c 4c 5c",
  "Td Jd Qd Kd Ad",
];

test("each hand is better than those before it, and none than itself in other suits", () => {
  for (const [i, ours] of ORDER.entries()) {
    for (const [j, theirs] of ORDER.entries()) {
      assert.equal(
        compareHands(hand(ours), hand(theirs)),
        Math.sign(i - j),
        `${ours} and ${theirs}`,
      );
    }
  }
  assert.equal(compareHands(hand("Ac Kd 8h 3s 2c"), hand("Ad Kh 8s 3c 2d")), 0);
});

test("every kind has its hand, and the order of the cards does not matter", () => {
  assert.deepEqual(
    [...new Set(ORDER.map((text) => KINDS[worth(hand(text))[0]]))].sort(),
    [...KINDS].sort(),
  );
  for (const text of ORDER) assert.deepEqual(worth(hand(text).reverse()), worth(hand(text)));
});
