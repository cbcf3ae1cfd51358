// The event of a seat and of its element, and the element's tag.

import "fairdeal/elements.js";
import type { Seat } from "fairdeal/player.js";

export function listen(seat: Seat) {
  const element =
    document.querySelector("fairdeal-seat") ?? document.createElement("fairdeal-seat");
  const label: string = element.from;
  for (const each of [seat, element]) {
    each.addEventListener("verdict", ({ detail }) => {
      const says: string | undefined = detail.claims[0]?.says;
      // @ts-expect-error: it is "unsure".
      return detail.state === "unsur" ? says : label;
    });
    each.addEventListener("other", (event) => event.preventDefault());
  }
  element.addEventListener("click", (event) => event.clientX, { once: true });
}
