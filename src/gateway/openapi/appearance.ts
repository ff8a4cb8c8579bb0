// Name and sign of the pages that show the OpenAPI document.
import type { FastifySwaggerUiOptions } from "@fastify/swagger-ui";

const sign =
  '<circle cx="16" cy="16" r="15" fill="#0a6b70"/><path d="m9 16.5 5 5 9-11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>';
const words =
  '<text x="42" y="22" fill="#fff" font-family="sans-serif" font-size="17">Partner Assessment Service</text>';
const svg = (width: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 32">${content}</svg>`;

/** What the pages show in the place of their library's own name and sign. */
export const appearance = {
  theme: {
    title: "Partner Assessment Service",
    favicon: [{ filename: "icon.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: svg(32, sign) }],
  },
  logo: { type: "image/svg+xml", content: svg(270, sign + words) },
} as const satisfies FastifySwaggerUiOptions;
