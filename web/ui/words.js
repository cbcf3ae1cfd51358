// Import this from a page that needs all words at once: it waits for them. The home page asks for them later.

import { allWords } from "./strings.js";

await allWords();
