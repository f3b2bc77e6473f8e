import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { mapSources } from '../../maps/map-sources.ts'
import { contentSecurityPolicy } from './web-app.ts'

const page = '<script>paint()</script>'

function policyOf(environment: Record<string, string>): string {
  const config = readConfig(environment)
  return contentSecurityPolicy(page, { ...config, mapHosts: mapSources(config.map).hosts })
}

test('with MAP_ONLINE=off the page may only load from its own origin and run its own scripts', () => {
  const policy = policyOf({ MAP_ONLINE: 'off' })
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/)
  expect(policy).not.toMatch(/https?:/)
  expect(policy).not.toContain('unsafe')
})

test('by default the page may load maps from three hosts and nothing else from other origins', () => {
  const policy = policyOf({})
  const maps = 'https://tiles.openfreemap.org https://gibs.earthdata.nasa.gov https://basemap.nationalmap.gov'
  expect(policy).toContain(`connect-src 'self' ${maps};`)
  expect(policy.replaceAll(maps, '')).not.toMatch(/https?:/)
})

test('the policy names the hosts of a configured map and of Google only where they are needed', () => {
  const policy = policyOf({
    MAP_STYLE_URL: 'https://tiles.example.org/style.json',
    MAP_SATELLITE_URL: 'https://tiles.example.org/{z}/{x}/{y}.jpg',
    MAP_HOSTS: 'https://fonts.example.org',
    GOOGLE_CLIENT_ID: 'client',
  })
  expect(policy).toContain(
    "connect-src 'self' https://tiles.example.org https://fonts.example.org https://accounts.google.com/gsi/",
  )
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org")
  expect(policy).toContain('frame-src https://accounts.google.com/gsi/')
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' https:\/\/accounts\.google\.com\/gsi\/client;/)
})
