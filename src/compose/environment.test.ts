import { describe, expect, it } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { publicationOf } from './environment.ts'

const stated = (settings: Readonly<Record<string, string>>) => publicationOf(loadConfig(settings))

describe('The metadata that the catalogue has for all datasets', () => {
  it('defaults to values from the public URL of the hub, unless settings are present', () => {
    expect(stated({ HUB_PUBLIC_URL: 'https://data.example:8443' })).toMatchObject({
      contact: { name: 'data.example:8443', email: 'webmaster@data.example' },
      documentation: 'https://data.example:8443/docs',
      region: ['IT'],
      roadNetwork: [],
    })
    expect(
      stated({
        HUB_CONTACT: 'Region Ä, open data <data@example.org>',
        HUB_DOCUMENTATION: 'https://docs.example/',
        HUB_HIGH_VALUE: 'weather=none,content/GeoShape=geospatial,timeseries/a=b=statistics',
        HUB_REGION: 'ITH10, AT33',
        HUB_ROAD_NETWORK: 'motorways,regional-roads',
      }),
    ).toEqual({
      contact: { name: 'Region Ä, open data', email: 'data@example.org' },
      documentation: 'https://docs.example/',
      highValue: new Map([
        ['weather', 'none'],
        ['content/GeoShape', 'geospatial'],
        ['timeseries/a=b', 'statistics'],
      ]),
      region: ['ITH10', 'AT33'],
      roadNetwork: ['motorways', 'regional-roads'],
    })
  })

  it('accepts an email address alone, and writes IP addresses as in RFC 5321', () => {
    const emailOf = (settings: Readonly<Record<string, string>>) => stated(settings).contact.email
    expect(emailOf({ HUB_CONTACT: 'data@example.org' })).toBe('data@example.org')
    expect(emailOf({ HUB_PUBLIC_URL: 'http://192.0.2.1' })).toBe('webmaster@[192.0.2.1]')
    expect(emailOf({ HUB_PUBLIC_URL: 'http://[2001:db8::1]:80' })).toBe(
      'webmaster@[IPv6:2001:db8::1]',
    )
  })

  it('uses the country codes of NUTS', () => {
    expect(stated({ HUB_TRAFFIC_COUNTRY: 'gr' }).region).toEqual(['EL'])
    expect(stated({ HUB_TRAFFIC_COUNTRY: 'at' }).region).toEqual(['AT'])
  })

  it.each([
    { HUB_CONTACT: 'nobody' },
    { HUB_CONTACT: 'A <a@b> <c@d>' },
    { HUB_HIGH_VALUE: 'mobility' },
    { HUB_HIGH_VALUE: 'mobility=much' },
    { HUB_REGION: 'it' },
    { HUB_ROAD_NETWORK: 'paths' },
    { HUB_DOCUMENTATION: 'docs' },
  ])('refuses %j', (settings) => {
    expect(() => stated(settings)).toThrow(Object.keys(settings)[0])
  })
})
