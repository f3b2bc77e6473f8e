import AddPhotoAlternateRounded from '@mui/icons-material/AddPhotoAlternateRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import { t } from '../../i18n/translate.ts'
import { FileButton } from './FileButton.tsx'
import type { ChosenImage } from './use-chosen-image.ts'

/** The image of a new ping, with a preview. */
export function ImageField({ image }: { image: ChosenImage }) {
  const { previewUrl, errorText } = image
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {previewUrl !== null && (
        <Box
          component="img"
          src={previewUrl}
          alt={t('pings.create.imagePreview')}
          sx={{ width: '100%', height: 180, objectFit: 'cover', borderRadius: '12px', bgcolor: 'action.hover' }}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <FileButton
          label={previewUrl === null ? t('pings.create.addImage') : t('pings.create.changeImage')}
          icon={<AddPhotoAlternateRounded />}
          describedBy={errorText === null ? undefined : 'ping-image-errorText'}
          onChoose={image.choose}
        />
        {previewUrl !== null && (
          <Button color="inherit" onClick={image.clear}>
            {t('pings.create.removeImage')}
          </Button>
        )}
      </Box>
      {errorText !== null && (
        <FormHelperText id="ping-image-errorText" error role="alert" sx={{ m: 0 }}>
          {errorText}
        </FormHelperText>
      )}
    </Box>
  )
}
