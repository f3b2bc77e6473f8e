import { MapNote } from '../map/MapNote.tsx'
import { useFirstPingUpload } from './ping-uploads.ts'
import { pingStrings } from './strings.ts'

/** Over the map, while a picture is on its way. */
export function UploadNote() {
  const upload = useFirstPingUpload()
  if (upload === undefined) return null
  const percent = Math.round(upload.progress * 100)
  return <MapNote isWorking>{percent === 0 ? pingStrings.sendingPicture : pingStrings.sentPicture(percent)}</MapNote>
}
