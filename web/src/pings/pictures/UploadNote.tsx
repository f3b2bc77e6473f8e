import { MapNote } from '../../map/engine/MapNote.tsx'
import { pingStrings } from '../strings.ts'
import { useFirstPingUpload } from './ping-uploads.ts'

/** Shown over the map during an image upload. */
export function UploadNote() {
  const upload = useFirstPingUpload()
  if (upload === undefined) return null
  const percent = Math.round(upload.progress * 100)
  return <MapNote isWorking>{percent === 0 ? pingStrings.sendingPicture : pingStrings.sentPicture(percent)}</MapNote>
}
