import { fileLimits } from '@hither/contract/runtime/files.ts'
import { registerRoute } from 'workbox-routing'
import { putShared, sharedPath, sharePath } from './shared.ts'

const textMax = 2000

/**
 * Accepts what another app shares, and opens the app with it. Nothing is sent to a server before the user submits it.
 */
export function addShareTarget(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
    async ({ request }) => {
      await storeShared(request).catch(() => undefined)
      return Response.redirect(sharedPath, 303)
    },
    'POST',
  )
}

async function storeShared(request: Request): Promise<void> {
  const form = await request.formData()
  const [picture] = form.getAll('photos').filter((entry) => entry instanceof File)
  await putShared({
    title: textOf(form.get('title')),
    text: textOf(form.get('text')),
    url: textOf(form.get('url')),
    picture: picture === undefined || picture.size === 0 ? null : partsOf(picture),
    at: Date.now(),
  })
}

/** Reads no more of a file that would be refused than is needed to explain the refusal. */
function partsOf(file: File) {
  const { type, size } = file
  return { type, size, file: type.startsWith('image/') && size <= fileLimits.pingImageBytes ? file : null }
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === 'string' ? entry.slice(0, textMax) : ''
}
