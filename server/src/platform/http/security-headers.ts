import type { Config } from '../../config.ts'

/** The browser features for the web app only, and those that nobody may use. */
const permissionsPolicy = [
  'geolocation=(self)',
  // For scanning friend codes.
  'camera=(self)',
  ...['accelerometer', 'autoplay', 'browsing-topics', 'display-capture', 'gyroscope', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => (feature.includes('=') ? feature : `${feature}=()`))
  .join(', ')

/**
 * The security headers of every response: those of the library Helmet, which would compute them again for each response.
 * The policy of a page's content is part of the page's response.
 */
export function securityHeadersOf({
  publicUrl,
  googleClientId,
}: Pick<Config, 'publicUrl' | 'googleClientId'>): Readonly<Record<string, string>> {
  return {
    // Google's sign-in responds from another window, which stricter isolation would block.
    'cross-origin-opener-policy': googleClientId === null ? 'same-origin' : 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': permissionsPolicy,
    'referrer-policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  }
}
