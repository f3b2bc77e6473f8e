import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { OutgoingPhoto } from '../outbox/outgoing.ts'
import { previewOf, useUploadProgress } from '../outbox/photo-outbox.ts'
import { coverFrame, PhotoFrame } from './PhotoFrame.tsx'

/** A photo that waits to be sent, with the progress of its upload. */
export function UnsentPhoto({ message }: { message: OutgoingPhoto }) {
  const { client_id, content, photo, state } = message
  const share = useUploadProgress(client_id)
  const [isUnreadable, setIsUnreadable] = useState(false)
  const isUploading = state === 'waiting' && share !== undefined
  return (
    <PhotoFrame width={photo.width} height={photo.height}>
      {isUnreadable ? (
        <Box sx={{ height: '100%', display: 'grid', placeItems: 'center', p: 1 }}>{t('chat.photo.noPreview')}</Box>
      ) : (
        <Box
          component="img"
          src={previewOf(client_id, photo.file)}
          alt={content === '' ? t('chat.photo.own') : t('chat.photo.ownWithCaption', { caption: content })}
          draggable={false}
          onError={() => setIsUnreadable(true)}
          sx={{ ...coverFrame, ...(state === 'failed' && { opacity: 0.5 }) }}
        />
      )}
      {isUploading && (
        <LinearProgress
          aria-label={t('chat.photo.uploading')}
          // The server processes the picture after the last byte.
          variant={share < 1 ? 'determinate' : 'indeterminate'}
          value={Math.round(share * 100)}
          sx={{ position: 'absolute', insetInline: 0, bottom: 0, height: 6 }}
        />
      )}
    </PhotoFrame>
  )
}
