import AdminPanelSettingsOutlined from '@mui/icons-material/AdminPanelSettingsOutlined'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import PersonRounded from '@mui/icons-material/PersonRounded'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminRoleQuery } from '../admin/role.api.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { mirrored } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { Menu } from '../ui/overlays/Menu.tsx'

interface Props {
  open: boolean
  anchor: HTMLElement | null
  onLogout: () => void
  onClose: () => void
}

export function AccountMenuList({ open, anchor, onLogout, onClose }: Props) {
  const isAdmin = useQuery({ ...adminRoleQuery(), enabled: open }).data?.is_admin === true
  const serverName = useQuery(clientConfigQuery()).data?.server_name
  return (
    <Menu
      anchorEl={anchor}
      open={open}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        list: { 'aria-label': t('shell.accountMenu') },
        paper: { component: 'nav', 'aria-label': t('shell.accountMenu'), sx: { minWidth: 200, mt: 0.5 } },
      }}
    >
      {serverName && (
        <ListSubheader component="div" role="presentation" dir="auto" sx={{ lineHeight: 1.4, py: 1, maxWidth: 280 }}>
          {serverName}
        </ListSubheader>
      )}
      <MenuItem component={Link} to="/profile" onClick={onClose}>
        <ListItemIcon>
          <PersonRounded />
        </ListItemIcon>
        {t('shell.profile')}
      </MenuItem>
      {isAdmin && (
        <MenuItem component={Link} to="/admin" onClick={onClose}>
          <ListItemIcon>
            <AdminPanelSettingsOutlined />
          </ListItemIcon>
          {t('shell.admin')}
        </MenuItem>
      )}
      <MenuItem onClick={onLogout}>
        <ListItemIcon>
          <LogoutRounded sx={mirrored} />
        </ListItemIcon>
        {t('shell.logout')}
      </MenuItem>
    </Menu>
  )
}
