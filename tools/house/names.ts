// Constants and parameters that are named by a participle alone, such as `found` or `known`: such a name does not say what it is.
import { globSync, readFileSync } from "node:fs";
import { type ESTree, parseSync, Visitor } from "vite";

const participles = new Set(
  (
    "added answered asked awaited begun bundled caught changed chosen closed compared completed computed configured " +
    "converged copied counted covered created deleted described dropped embedded encoded ended explained failed fetched " +
    "filled folded forwarded found given gone granted held included inserted issued jittered kept keyed known labelled left " +
    "lent listed loaded locked logged lost made marked matched meant misplaced missed moved named nested observed offered " +
    "opened packed parked parsed placed planned pooled printed published ranked rated recorded refused released " +
    "rendered replayed requested resolved rotated rounded said sealed seen selected sent settled shown signed sized sorted " +
    "started stated stopped stored taken tagged thrown timed told trusted unfinished updated used verified viewed wanted " +
    "watched written"
  ).split(" "),
);

/** Those of src, as `file name`. */
export function participleNames(): readonly string[] {
  const files = globSync("src/**/*.{ts,js}", { exclude: ["src/gen/**"] }).toSorted();
  return files.flatMap((file) =>
    namesIn(file, readFileSync(file, "utf8"))
      .filter((name) => participles.has(name))
      .map((name) => `${file} ${name}`),
  );
}

function namesIn(file: string, text: string): readonly string[] {
  const names: string[] = [];
  const declare = (patterns: readonly (ESTree.ParamPattern | ESTree.BindingPattern)[]) => {
    const declared = patterns.flatMap(collectNames);
    // A side, not what remains.
    names.push(...declared.filter((name) => name !== "left" || !declared.includes("right")));
  };
  new Visitor({
    VariableDeclarator: ({ id }) => declare([id]),
    FunctionDeclaration: ({ params }) => declare(params),
    FunctionExpression: ({ params }) => declare(params),
    ArrowFunctionExpression: ({ params }) => declare(params),
  }).visit(parseSync(file, text).program);
  return names;
}

function collectNames(pattern: ESTree.ParamPattern | ESTree.BindingPattern | null): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return collectNames(pattern.left);
    case "RestElement":
      return collectNames(pattern.argument);
    case "TSParameterProperty":
      return collectNames(pattern.parameter);
    case "ArrayPattern":
      return pattern.elements.flatMap(collectNames);
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        collectNames(property.type === "RestElement" ? property : property.value),
      );
    default:
      return [];
  }
}
