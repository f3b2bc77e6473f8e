import PhotoOutlined from '@mui/icons-material/PhotoOutlined'
import PlaceOutlined from '@mui/icons-material/PlaceOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/overlays/Menu.tsx'

interface Props {
  open: boolean
  anchor: HTMLElement | null
  onChoose: (choice: 'photo' | 'place') => void
  onClose: () => void
}

export function AttachMenu({ open, anchor, onChoose, onClose }: Props) {
  return (
    <Menu
      open={open}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
      transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
    >
      <MenuItem onClick={() => onChoose('photo')}>
        <ListItemIcon>
          <PhotoOutlined fontSize="small" />
        </ListItemIcon>
        {t('chat.attach.photo')}
      </MenuItem>
      <MenuItem onClick={() => onChoose('place')}>
        <ListItemIcon>
          <PlaceOutlined fontSize="small" />
        </ListItemIcon>
        {t('chat.attach.place')}
      </MenuItem>
    </Menu>
  )
}
