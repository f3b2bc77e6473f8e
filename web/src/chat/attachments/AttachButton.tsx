import type { ConversationId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type ChangeEvent, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { NamedPlace } from '../../map/places/shown-place.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { useDroppedPhotos } from './use-dropped-photos.ts'

const AttachMenu = lazyComponent(async () => (await import('./AttachMenu.tsx')).AttachMenu)
const PhotoDialog = lazyComponent(async () => (await import('./PhotoDialog.tsx')).PhotoDialog)
const PlacePicker = lazyComponent(async () => (await import('../places/PlacePicker.tsx')).PlacePicker)

interface Props {
  conversationId: ConversationId
  viewer: User
  /** The message that the next one replies to. */
  replyTo: Message | null
  /** Called when a photo was put into the outbox. */
  onPhoto: () => void
  onPlace: (place: NamedPlace) => void
}

/** Opens the choice of a photo or a place. Photos can also be pasted and dropped into the conversation. */
export function AttachButton({ conversationId, viewer, replyTo, onPhoto, onPlace }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [isPhotoOpen, setIsPhotoOpen] = useState(false)
  const [isPickerOpen, setIsPickerOpen] = useState(false)
  const isDragging = useDroppedPhotos(button, handlePhotos)

  function handlePhotos(files: readonly File[]) {
    setPhotos(files)
    setIsPhotoOpen(true)
  }

  function handleFiles({ target }: ChangeEvent<HTMLInputElement>) {
    const files = [...(target.files ?? [])]
    // Allows the user to choose the same file again.
    target.value = ''
    if (files.length > 0) handlePhotos(files)
  }

  function handleChoice(choice: 'photo' | 'place') {
    setIsMenuOpen(false)
    if (choice === 'photo') input.current?.click()
    else setIsPickerOpen(true)
  }

  return (
    <>
      <input ref={input} type="file" accept="image/*" multiple hidden onChange={handleFiles} />
      <IconButton
        ref={button}
        title={t('chat.attach.attach')}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={() => setIsMenuOpen(true)}
        sx={{ flexShrink: 0, mx: -0.5 }}
      >
        <AddRounded />
      </IconButton>
      <AttachMenu
        open={isMenuOpen}
        anchor={button.current}
        onChoose={handleChoice}
        onClose={() => setIsMenuOpen(false)}
      />
      <PhotoDialog
        open={isPhotoOpen}
        files={photos}
        conversationId={conversationId}
        viewerId={viewer.id}
        replyTo={replyTo}
        onSend={onPhoto}
        onClose={() => setIsPhotoOpen(false)}
      />
      <PlacePicker
        open={isPickerOpen}
        viewerId={viewer.id}
        onSend={(place) => {
          setIsPickerOpen(false)
          onPlace(place)
        }}
        onClose={() => setIsPickerOpen(false)}
      />
      {isDragging && (
        <Box
          sx={{
            position: 'absolute',
            zIndex: 5,
            inset: 8,
            display: 'grid',
            placeItems: 'center',
            borderRadius: '16px',
            border: '3px dashed',
            borderColor: 'primary.main',
            bgcolor: 'background.paper',
            opacity: 0.94,
            fontWeight: 700,
            pointerEvents: 'none',
          }}
        >
          {t('chat.attach.drop')}
        </Box>
      )}
    </>
  )
}
