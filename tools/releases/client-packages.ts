// The packages of the clients, with their generated code, as a release has them: commands of a shell at the root.

/** Of clients/typescript, as `npm install` takes it. */
export function typescriptPackage(folder: string): readonly string[] {
  return [
    "npm ci --prefix clients/typescript --ignore-scripts",
    `npm pack ./clients/typescript --pack-destination ${folder}`,
  ];
}

/** Of clients/python, as `pip install` takes it: a wheel. What generates its code stays in an environment of its own. */
export function pythonPackage(folder: string): readonly string[] {
  const environment = `${folder}/python`;
  return [
    `python3 -m venv ${environment}`,
    `${environment}/bin/pip install --quiet --no-compile --editable 'clients/python[generate]'`,
    `PATH="$(realpath ${environment})/bin:$PATH" clients/python/generate.sh`,
    `${environment}/bin/pip wheel --quiet --no-deps --wheel-dir ${folder} ./clients/python`,
    `rm -r ${environment}`,
  ];
}
