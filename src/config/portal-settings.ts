import { Type } from 'typebox'
import { optionalText } from './data-settings.ts'

const roads = [
  'tern-network',
  'motorways',
  'state-roads-or-federal-roads',
  'regional-roads',
  'urban-and-local-roads',
] as const

const categories = [
  'geospatial',
  'environment',
  'meteorological',
  'statistics',
  'companies',
  'mobility',
  'none',
] as const

/**
 * Statements of the catalogue about all datasets, for portals that harvest it. Part of
 * `settings.ts`.
 */
export const portalSettings = {
  HUB_CONTACT: optionalText({
    pattern: String.raw`^([^<>@]*[^<>@\s] <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$`,
    maxLength: 300,
    description:
      'Publisher of the data and e-mail address for questions about it, such as `Region Example <data@example.org>`, or only the address. Default: the host of `HUB_PUBLIC_URL` and its `webmaster` (RFC 2142).',
  }),
  HUB_DOCUMENTATION: optionalText({
    pattern: '^https?://\\S+$',
    url: true,
    description:
      'URL of the documentation. Default: `{HUB_PUBLIC_URL}/docs`, the guides of the Explorer.',
  }),
  HUB_HIGH_VALUE: Type.Array(Type.String({ pattern: `^.+=(${categories.join('|')})$` }), {
    default: [
      'mobility=mobility',
      'weather=meteorological',
      'environment=environment',
      'content/GeoShape=geospatial',
    ],
    description: `High-value datasets under Regulation (EU) 2023/138 with their category, comma-separated, by dataspace or by identifier of a dataset, which takes precedence. Categories: ${categories.map((name) => `\`${name}\``).join(', ')}. Closed data never counts as high-value.`,
  }),
  HUB_REGION: Type.Array(Type.String({ pattern: '^[A-Z]{2}[A-Z0-9]{0,3}$' }), {
    default: [],
    description:
      'NUTS codes of the region that the data is about, such as `ITH10,ITH20`, comma-separated. Default: the country of `HUB_TRAFFIC_COUNTRY`.',
  }),
  HUB_ROAD_NETWORK: Type.Array(Type.Enum([...roads]), {
    default: [],
    description:
      'Classes of roads that the traffic data covers, comma-separated. Without it the catalogue states none.',
  }),
}
