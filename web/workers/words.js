// The words of the languages other than English, so that nobody loads a language that they do not read.

import { strings as de } from "../strings/de.js";

postMessage({ de });
