// In JavaScript, so that an older Node can say what it lacks: it runs no TypeScript.
const least = 24;
const { node: version } = process.versions;

if (Number.parseInt(version, 10) < least) {
  console.error(
    `Node ${least} or newer is needed, this is ${version}; \`npm ci\` at the root of the repository brings one, which \`npm run play\` finds`,
  );
  process.exitCode = 1;
}
