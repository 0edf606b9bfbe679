// The editor of the page Query: CodeMirror over Streamlit's plain box, which is left where CodeMirror cannot be loaded.

const cm = await import(new URL("/atlas/vendor/codemirror.js", location.origin)).catch(() => null);
const STRINGS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;
const ICONS = { label: "class", type: "interface", property: "property", keyword: "keyword" };

// Python says where which names may stand: a pattern each, tried in order on the text before the cursor.
async function complete(context, s) {
  const before = context.state.sliceDoc(0, context.pos);
  const quoted = /['"]/.test(before.replace(STRINGS, ""));
  const { places, offered } = await s.words;
  for (const [kind, pattern] of places) {
    const found = ["id", "area"].includes(kind) === quoted && new RegExp(pattern).exec(before);
    if (found && !found[1] && kind === "keyword" && !context.explicit) return null;
    const options = found ? offered[kind].map(([apply, about]) => option(kind, apply, about)) : [];
    if (found) return { from: context.pos - found[1].length, options, validFor: quoted ? /^[^'"]*$/ : /^\w*$/ };
  }
  return null;
}

function option(kind, apply, about) {
  const named = kind === "id" ? { label: about, detail: apply } : { label: apply, detail: about };
  return { ...named, apply, type: ICONS[kind] ?? "text" };
}

function colours() {
  const { tags: t } = cm;
  return cm.HighlightStyle.define([
    { tag: t.keyword, class: "atlas-keyword" },
    { tag: [t.string, t.special(t.string)], class: "atlas-string" },
    { tag: [t.number, t.bool, t.null, t.atom], class: "atlas-number" },
    { tag: t.comment, class: "atlas-comment" },
  ]);
}

// The browser keeps the last queries; they leave it only when they are run again.
function remember(s, ran) {
  const kept = JSON.parse(localStorage.getItem("torchatlas-queries") ?? "[]").filter((text) => text !== ran);
  const queries = [...(ran ? [ran] : []), ...kept].slice(0, 30);
  localStorage.setItem("torchatlas-queries", JSON.stringify(queries));
  const options = queries.map((text) => new Option(text.replace(/\s+/g, " ").slice(0, 100), text));
  s.earlier.replaceChildren(new Option("Earlier queries", ""), ...options);
  s.earlier.hidden = !queries.length;
}

function write(s, text) {
  s.view.dispatch({ changes: { from: 0, to: s.view.state.doc.length, insert: text } });
}

function create(s) {
  const { EditorView, EditorState } = cm;
  const text = () => s.view.state.doc.toString();
  const run = () => Boolean(s.trigger("run", text())) || true;
  const save = () => text() === s.given || s.save("text", (s.given = text()));
  const keys = [cm.closeBracketsKeymap, cm.completionKeymap, cm.historyKeymap, cm.defaultKeymap].flat();
  const extensions = [
    cm.keymap.of([{ key: "Mod-Enter", run }, ...keys]),
    [cm.history(), cm.bracketMatching(), cm.closeBrackets(), EditorView.lineWrapping],
    [cm.StreamLanguage.define(cm.cypher), cm.syntaxHighlighting(colours())],
    cm.autocompletion({ override: [(context) => complete(context, s)] }),
    EditorView.contentAttributes.of({ "aria-label": "Cypher" }),
    EditorView.domEventHandlers({ blur: () => void save() }),
  ];
  s.view = new EditorView({
    parent: s.host,
    root: s.host.getRootNode(),
    state: EditorState.create({ doc: s.given, extensions }),
  });
  s.earlier.onchange = () => {
    if (s.earlier.value) write(s, s.earlier.value);
    s.view.focus();
    s.earlier.value = "";
  };
  document.documentElement.classList.add("atlas-edits");
}

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const host = parentElement.querySelector(".atlas-editor");
  if (!cm) return;
  const s = (host._editor ??= { host, given: data.text, earlier: parentElement.querySelector("select") });
  Object.assign(s, { save: setStateValue, trigger: setTriggerValue });
  s.words ??= fetch(`/atlas/pictures/${data.words}.json`).then((answer) => answer.json());
  host.style.height = `${data.height}px`;
  if (!s.view) create(s);
  else if (data.text !== s.given) {
    s.given = data.text;
    write(s, data.text);
  }
  if (data.ran !== s.ran) remember(s, (s.ran = data.ran));
  return () => {
    document.documentElement.classList.remove("atlas-edits");
    s.view.destroy();
    delete host._editor;
  };
}
