import { t } from '../../i18n/translate.ts'
import { MapNote } from '../../map/engine/MapNote.tsx'
import { useFirstPingUpload } from './ping-uploads.ts'

/** Shown over the map during an image upload. */
export function UploadNote() {
  const upload = useFirstPingUpload()
  if (upload === undefined) return null
  const percent = Math.round(upload.progress * 100)
  return <MapNote isWorking>{percent === 0 ? t('pings.sendingPicture') : t('pings.sentPicture', { percent })}</MapNote>
}
