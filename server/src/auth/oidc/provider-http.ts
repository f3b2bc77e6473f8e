const timeoutMs = 5000
const answerMaxBytes = 1_000_000

/** The provider did not answer as a provider should. The message is for the log of the operator and has no values. */
export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable'
}

/** Calls an endpoint of the provider: at most five seconds, no redirects, at most 1 MB. */
export async function fetchFromProvider(url: string | URL, options: RequestInit = {}): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...options, redirect: 'manual', signal })
    const body = await readLimited(response)
    if (response.status >= 300 && response.status < 400) throw new ProviderUnreachable('it redirects')
    if (response.status >= 500) throw new ProviderUnreachable('it fails')
    const { status, statusText, headers } = response
    return new Response(status === 204 ? null : body, { status, statusText, headers: withoutEncoding(headers) })
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw error
    throw new ProviderUnreachable('it does not answer', { cause: error })
  }
}

async function readLimited(response: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > answerMaxBytes) throw new ProviderUnreachable('its answer is too long')
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
