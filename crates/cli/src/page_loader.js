// Loads the modules of an exported page. From `file:` a browser imports no file, so each module is
// a blob, made after the modules that it imports. `modules` has the text of each by its path.

const urls = new Map();

const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** The URL of a module. Imports in comments are those of types: they stay as they are. */
function urlOf(path) {
  if (!urls.has(path)) {
    const named = /\/\*[^]*?\*\/|^ *\/\/.*$|(from |import |import\()"(\.[^"]+)"/gm;
    urls.set(
      path,
      blob(
        modules[path].replace(named, (whole, word, to) =>
          to === undefined
            ? whole
            : `${word}"${urlOf(new URL(to, `file:///${path}`).pathname.slice(1))}"`,
        ),
      ),
    );
  }
  return urls.get(path);
}

/** Runs a module in a worker. Messages that come before it is loaded are kept for it. */
function work(path) {
  const early = [];
  const keep = (event) => {
    early.push(event);
  };
  addEventListener("message", keep);
  import(urlOf(path)).then(
    () => {
      removeEventListener("message", keep);
      for (const { data, ports } of early)
        dispatchEvent(new MessageEvent("message", { data, ports }));
    },
    (error) =>
      setTimeout(() => {
        throw error;
      }),
  );
}

/** The URL of a worker: a script, because from `file:` a browser runs no module worker. */
globalThis.fairdealWorker = (path) =>
  blob(`const modules = ${JSON.stringify(modules)};
const urls = new Map();
const blob = ${blob};
${urlOf}
${work}
work(${JSON.stringify(path)});`);
