import type { OwnPing } from '@hither/contract/pings.ts'
import AddPhotoAlternateRounded from '@mui/icons-material/AddPhotoAlternateRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { uploadErrorOf } from '../../api/upload.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { FileButton } from './FileButton.tsx'
import { useDeletePingImage, useSendPingImage } from './ping-image.mutations.ts'
import { usePingUpload } from './ping-uploads.ts'
import { pingImageError } from './use-chosen-image.ts'

const addId = 'add-picture'

/** Adds, changes and deletes the image of an own ping. */
export function PingPictureButtons({ ping }: { ping: OwnPing }) {
  const isUploading = usePingUpload(ping.id) !== undefined
  const sending = useSendPingImage()
  const removal = useDeletePingImage(ping.id)
  const { showError, showNotice } = useSnackbar()

  async function handleChoose(file: File) {
    const errorText = pingImageError(file)
    if (errorText !== null) return showError(errorText)
    try {
      await sending.mutateAsync({ pingId: ping.id, file })
      showNotice(t('pings.pictureAdded'))
    } catch (error) {
      showError(uploadErrorOf(error))
    }
  }

  async function handleRemove() {
    // The delete button is about to be removed, so the focus moves to the add button.
    document.getElementById(addId)?.focus()
    try {
      await removal.mutateAsync()
      showNotice(t('pings.pictureRemoved'))
    } catch {
      showError(t('files.removeFailed'))
    }
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <FileButton
        id={addId}
        label={ping.has_image ? t('pings.changePicture') : t('pings.addPicture')}
        icon={<AddPhotoAlternateRounded />}
        isWorking={isUploading}
        onChoose={handleChoose}
      />
      {ping.has_image && !isUploading && (
        <Button color="inherit" onClick={handleRemove}>
          {t('pings.removePicture')}
        </Button>
      )}
    </Box>
  )
}
