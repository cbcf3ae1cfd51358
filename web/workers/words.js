// All texts of all languages, for pages that have already painted.

import { strings as de } from "../strings/de.js";
import { strings as en } from "../strings/en.js";

postMessage({ en, de });
