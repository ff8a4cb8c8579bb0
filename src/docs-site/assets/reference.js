// The reference: the OpenAPI document, shown by Scalar. Nothing is asked of any other host.
const { document: url } = document.querySelector("#reference").dataset;

Scalar.createApiReference("#reference", {
  url,
  theme: "none",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // The header of the page has both.
  hideSearch: true,
  hideDarkModeToggle: true,
  documentDownloadType: "direct",
  hideModels: true,
  defaultOpenFirstTag: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  generateTagSlug: ({ name }) => name.toLowerCase(),
  generateOperationSlug: ({ operationId }) => operationId,
});
