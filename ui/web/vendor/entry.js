export { EditorState, Compartment } from "@codemirror/state";
export { EditorView, keymap, placeholder, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, bracketMatching } from "@codemirror/language";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { cypher } from "@codemirror/legacy-modes/mode/cypher";
export { tags } from "@lezer/highlight";
