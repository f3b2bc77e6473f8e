import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { mirrored } from '../i18n/language.ts'

interface Props {
  title: string
  /** The screen above. */
  backTo: '/friends' | '/profile'
  backLabel: string
}

/** The heading of a screen below another one, with the way back. */
export function SubpageHeading({ title, backTo, backLabel }: Props) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, marginInlineStart: -1.5 }}>
      <IconButton component={Link} to={backTo} title={backLabel}>
        <ArrowBackRounded sx={mirrored} />
      </IconButton>
      <Typography variant="h2" component="h1">
        {title}
      </Typography>
    </Box>
  )
}
