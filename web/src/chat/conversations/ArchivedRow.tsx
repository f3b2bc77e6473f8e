import ArchiveOutlined from '@mui/icons-material/ArchiveOutlined'
import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'

/** The way to the archived conversations, at the end of the list. */
export function ArchivedRow({ count }: { count: number }) {
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={Link}
        to="/chat/archived"
        state={{ fromList: true }}
        sx={{ gap: 1.75, px: 1.5, py: 1, minHeight: 60, borderRadius: '16px', color: 'text.secondary' }}
      >
        <Box sx={{ width: 52, display: 'grid', placeItems: 'center' }}>
          <ArchiveOutlined aria-hidden />
        </Box>
        <Typography sx={{ fontWeight: 600 }}>{t('chat.list.archivedRow', { count })}</Typography>
      </ListItemButton>
    </ListItem>
  )
}
