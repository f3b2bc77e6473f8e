import { fileLimits } from '@hither/contract/runtime/files.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import PhotoCameraRounded from '@mui/icons-material/PhotoCameraRounded'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { imageError, uploadErrorOf } from '../api/upload.ts'
import { t } from '../i18n/translate.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { PictureButton } from './PictureButton.tsx'
import { useDeleteProfileImage, useUploadProfileImage } from './profile.api.ts'

const avatarPx = 100
const ringPx = 116

/**
 * The user's image with its two buttons. A chosen image is shown at once, with a ring that shows the upload progress.
 */
export function ProfilePicture({ user }: { user: User }) {
  const uploading = useUploadProfileImage(user)
  const removal = useDeleteProfileImage(user)
  const { showError, showNotice } = useSnackbar()
  const input = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const isUploading = uploading.isPending

  useEffect(() => {
    if (preview !== null) return () => URL.revokeObjectURL(preview)
  }, [preview])

  async function handleChoice({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    // Allows the user to choose the same file again after a failure.
    target.value = ''
    if (file === undefined) return
    const errorText = imageError(file, fileLimits.profileImageBytes, t('files.profileImageTooLarge'))
    if (errorText !== null) return showError(errorText)
    setPreview(URL.createObjectURL(file))
    try {
      await uploading.mutateAsync(file)
      showNotice(t('profile.pictureUpdated'))
    } catch (error) {
      showError(uploadErrorOf(error))
    }
    setPreview(null)
  }

  async function handleRemove() {
    // The delete button is about to be removed, so the focus moves to the upload button.
    document.getElementById('upload-picture')?.focus()
    try {
      await removal.mutateAsync()
      showNotice(t('profile.pictureRemoved'))
    } catch {
      showError(t('files.removeFailed'))
    }
  }

  return (
    <Box sx={{ position: 'relative', width: ringPx, height: ringPx, display: 'grid', placeItems: 'center' }}>
      <UserAvatar
        userId={user.id}
        name={shownName(user) || user.email}
        hasImage={user.has_image}
        size={avatarPx}
        {...(preview !== null && { src: preview })}
      />
      {isUploading && (
        <CircularProgress
          aria-label={t('profile.uploading')}
          // The progress is unknown before the first byte and after the last one.
          variant={uploading.progress > 0 && uploading.progress < 1 ? 'determinate' : 'indeterminate'}
          value={Math.round(uploading.progress * 100)}
          size={ringPx}
          thickness={2}
          sx={{ position: 'absolute' }}
        />
      )}
      <input ref={input} type="file" accept="image/*" hidden onChange={handleChoice} />
      <PictureButton
        id="upload-picture"
        side="right"
        label={user.has_image ? t('profile.changePicture') : t('profile.uploadPicture')}
        isWorking={isUploading}
        onClick={() => input.current?.click()}
      >
        <PhotoCameraRounded fontSize="small" />
      </PictureButton>
      {user.has_image && !isUploading && (
        <PictureButton side="left" label={t('profile.removePicture')} onClick={handleRemove}>
          <DeleteOutlineRounded fontSize="small" />
        </PictureButton>
      )}
    </Box>
  )
}
