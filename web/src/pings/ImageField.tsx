import AddPhotoAlternateRounded from '@mui/icons-material/AddPhotoAlternateRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import { FileButton } from './FileButton.tsx'
import { createStrings } from './strings.ts'
import { type ChosenImage } from './use-chosen-image.ts'

/** An image for the new ping, as it will be seen. */
export function ImageField({ image }: { image: ChosenImage }) {
  const { previewUrl, fault } = image
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {previewUrl !== null && (
        <Box
          component="img"
          src={previewUrl}
          alt={createStrings.imagePreview}
          sx={{ width: '100%', height: 180, objectFit: 'cover', borderRadius: '12px', bgcolor: 'action.hover' }}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <FileButton
          label={previewUrl === null ? createStrings.addImage : createStrings.changeImage}
          icon={<AddPhotoAlternateRounded />}
          describedBy={fault === null ? undefined : 'ping-image-fault'}
          onChoose={image.choose}
        />
        {previewUrl !== null && (
          <Button color="inherit" onClick={image.clear}>
            {createStrings.removeImage}
          </Button>
        )}
      </Box>
      {fault !== null && (
        <FormHelperText id="ping-image-fault" error role="alert" sx={{ m: 0 }}>
          {fault}
        </FormHelperText>
      )}
    </Box>
  )
}
