// The tags of the package's elements. For TypeScript alone: JSDoc cannot say it.

import type { FairdealSeat } from "./elements.js";

declare global {
  interface HTMLElementTagNameMap {
    "fairdeal-seat": FairdealSeat;
  }
}

export type Tag = "fairdeal-seat";
