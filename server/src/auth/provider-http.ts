const timeoutMs = 5000
const answerMaxBytes = 1_000_000

/**
 * `service`: the provider did not answer as a provider should, or its set-up or that of this server is wrong.
 * `request`: it knows this server, but refused its request. `token`: an ID token is not what it should be. `attempt`: what the
 * person's browser brought is wrong or too late.
 */
type Fault = 'service' | 'request' | 'token' | 'attempt'

/** An answer of a provider was refused. The message is for the operator, and says nothing about a person. */
export class ProviderFault extends Error {
  override name = 'ProviderFault'
  readonly fault: Fault

  constructor(reason: string, fault: Fault = 'service', options?: ErrorOptions) {
    super(reason, options)
    this.fault = fault
  }
}

/** Calls an endpoint of the provider: at most five seconds, no redirects, at most 1 MB. */
export async function fetchFromProvider(url: string | URL, options: RequestInit = {}): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...options, redirect: 'manual', signal })
    const body = await readLimited(response)
    if (response.status >= 300 && response.status < 400) throw new ProviderFault('it redirects')
    if (response.status >= 500) throw new ProviderFault('it fails')
    const { status, statusText, headers } = response
    return new Response(status === 204 ? null : body, { status, statusText, headers: withoutEncoding(headers) })
  } catch (error) {
    if (error instanceof ProviderFault) throw error
    throw new ProviderFault('it does not answer', 'service', { cause: error })
  }
}

/** Returns the members of a JSON object. `null` members count as missing, and anything else as an object without members. */
export async function readMembers(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => null)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

async function readLimited(response: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > answerMaxBytes) throw new ProviderFault('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The body was decompressed when it was read. */
function withoutEncoding(headers: Headers): Headers {
  const copy = new Headers(headers)
  copy.delete('content-encoding')
  copy.delete('content-length')
  return copy
}
