import Box from '@mui/material/Box'
import { t } from '../i18n/translate.ts'

/** The first stop of the Tab key. It is invisible until it has the focus. */
export function SkipLink() {
  return (
    <Box
      component="a"
      href="#content"
      onClick={(event) => {
        // The hash would enter the history and the stored return path.
        event.preventDefault()
        document.getElementById('content')?.focus()
      }}
      sx={{
        position: 'absolute',
        insetInlineStart: 8,
        top: -100,
        zIndex: 'tooltip',
        px: 2,
        py: 1.25,
        borderRadius: 3,
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        fontWeight: 700,
        '&:focus': { top: 8 },
      }}
    >
      {t('shell.skip')}
    </Box>
  )
}
