type Sharp = typeof import('sharp').default

let loading: Promise<Sharp> | undefined

/** The library for pictures, loaded with the first one. It uses one thread, no cache, and opens only the formats of our pictures. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load()
  return loading
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  // Pictures are all different: a cache of decoded ones would only use memory.
  sharp.cache(false)
  sharp.concurrency(1)
  // All other readers of the library (SVG, PDF, TIFF…) are closed.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((kind) => `VipsForeignLoad${kind}`),
  })
  return sharp
}
