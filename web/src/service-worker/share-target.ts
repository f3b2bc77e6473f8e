import { fileLimits } from '@hither/contract/files.ts'
import { registerRoute } from 'workbox-routing'
import { putShared, sharedPath, sharePath } from '../share/shared.ts'

const textMax = 2000

/** Takes what another app shares and opens the app with it. It goes to no server before its sender says so there. */
export function addShareTarget(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
    async ({ request }) => {
      await keep(request).catch(() => undefined)
      return Response.redirect(sharedPath, 303)
    },
    'POST',
  )
}

async function keep(request: Request): Promise<void> {
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

/** Of what would be refused anyway, no more than is needed to say why. */
function partsOf(file: File) {
  const { type, size } = file
  return { type, size, file: type.startsWith('image/') && size <= fileLimits.pingImageBytes ? file : null }
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === 'string' ? entry.slice(0, textMax) : ''
}
