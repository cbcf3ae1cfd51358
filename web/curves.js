// The library that verifies signatures of beacons. A browser finds no package by its name: on a page
// no chain of a beacon is known, and the verdict says so, unless this file is replaced by a bundle.

export { bls12_381 } from "@noble/curves/bls12-381.js";
