type Sharp = typeof import('sharp').default

let loading: Promise<Sharp> | undefined

/** The image library, loaded at first use. It uses one thread and no cache, and reads only the accepted formats. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load()
  return loading
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  // Every picture is different: a cache of decoded ones would only use memory.
  sharp.cache(false)
  sharp.concurrency(1)
  // All other formats of the library (SVG, PDF, TIFF…) are disabled.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((kind) => `VipsForeignLoad${kind}`),
  })
  return sharp
}
