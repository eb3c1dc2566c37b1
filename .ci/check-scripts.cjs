#!/usr/bin/env node
// Checks the scripts of the pages: their types (tsconfig.json), that each export has types, that another module uses it, and the
// length of lines.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const ts = require("/usr/share/nodejs/typescript");

const root = path.dirname(__dirname);
const longest = 140;
const problems = [];

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (found) => complain(found) };
const config = ts.getParsedCommandLineOfConfigFile(path.join(root, "tsconfig.json"), { noImplicitAny: true }, host);
const program = ts.createProgram(config.fileNames, config.options);
const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes("/node_modules/") && fileName.startsWith(root));

function complain({ file, start, code, messageText }) {
  const words = ts.flattenDiagnosticMessageText(messageText, "\n");
  const line = file ? `${path.relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1}: ` : "";
  problems.push(`${line}${words}${code ? ` (TS${code})` : ""}`);
}

const isExport = (statement) => (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

// Tests and pages outside of the program, which use its modules too.
const read = (files) => files.map((file) => fs.readFileSync(path.join(root, file), "utf8")).join("\n");
const others = read(process.argv.slice(2));
const tests = read(process.argv.slice(2).filter((file) => file.startsWith("Tests/PageTests/")));

// Inside of a module, types follow from what it calls; what it exports must name them. A module with tests in Tests/PageTests has types
// throughout.
const isTested = ({ fileName }) =>
  config.options.paths &&
  Object.entries(config.options.paths).some(([address, [folder]]) => {
    const start = path.join(root, folder.replace("*", ""));
    return fileName.startsWith(start) && tests.includes(`"${address.replace("*", "")}${fileName.slice(start.length)}`);
  });
function isOfExport({ file, start }) {
  const holds = (node) => start >= node.getStart(file) && start < node.end;
  const inBody = (node) =>
    (ts.isFunctionLike(node) && node.body && start >= node.body.pos && start < node.body.end) ||
    Boolean(ts.forEachChild(node, (child) => holds(child) && inBody(child)));
  return file.statements.some((statement) => isExport(statement) && holds(statement) && !inBody(statement));
}

const isImplicitAny = ({ code }) => code >= 7000 && code < 8000;
const diagnostics = [
  ...config.errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
];
for (const found of diagnostics) if (!isImplicitAny(found) || isTested(found.file) || isOfExport(found)) complain(found);

// What no other module names is not exported.
const options = { ...config.options, noEmit: true };
const used = new Set();
const exported = [];
for (const file of own.filter(({ fileName }) => fileName.endsWith(".js"))) {
  const nameOf = (specifier) => ts.resolveModuleName(specifier.text, file.fileName, options, ts.sys).resolvedModule?.resolvedFileName;
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const from = nameOf(node.moduleSpecifier);
      const names = node.importClause?.namedBindings?.elements ?? node.exportClause?.elements ?? [];
      for (const name of names) used.add(`${from} ${(name.propertyName ?? name.name).text}`);
    }
    // `(await import("…")).name`
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const name = node.parent?.parent?.parent;
      if (name && ts.isPropertyAccessExpression(name)) used.add(`${nameOf(node.arguments[0])} ${name.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const statement of file.statements.filter(isExport)) {
    const names = statement.declarationList?.declarations.flatMap(({ name }) => name.elements?.map((one) => one.name) ?? [name]) ?? [
      statement.name,
    ];
    for (const name of names) exported.push([file, name]);
  }
}
for (const [file, name] of exported) {
  if (used.has(`${file.fileName} ${name.text}`) || new RegExp(`\\b${name.text}\\b`).test(others)) continue;
  complain({ file, start: name.getStart(file), messageText: `${name.text} is exported, but no other module imports it` });
}

// A listener of keys must leave those to an input method that compose a word.
for (const { fileName, text } of own.filter(({ fileName }) => fileName.endsWith(".js"))) {
  for (const { index } of text.matchAll(/(?:onkeydown:|addEventListener\(\s*"keydown",)(?!\s*keys\()/g)) {
    const line = text.slice(0, index).split("\n").length;
    problems.push(`${path.relative(root, fileName)}:${line}: wrap the listener in keys() of components/keys.js`);
  }
}

for (const { fileName, text } of own) {
  text.split("\n").forEach((line, place) => {
    if ([...line].length > longest) problems.push(`${path.relative(root, fileName)}:${place + 1}: more than ${longest} columns`);
  });
}

for (const words of problems) console.error(words);
process.exit(problems.length ? 1 : 0);
