// Where pages have the library that verifies signatures of beacons. It is loaded with the first
// commit that names a known chain.

import { curvesFrom } from "../fairdeal/beacon.js";

curvesFrom(async () => (await import("../curves.js")).bls12_381);
