import BookmarkRounded from '@mui/icons-material/BookmarkRounded'
import LockRounded from '@mui/icons-material/LockRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { addressOrCoordinates } from '../../map/location/address-text.ts'
import { sessionState } from '../../session/session.ts'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { PlaceNameDialog } from './PlaceNameDialog.tsx'
import { withChangedPlace, withoutPlace } from './saved-places.rules.ts'
import { type SavedPlace, savedPlaces } from './saved-places.ts'

interface Props {
  place: SavedPlace
  onChoose: (place: SavedPlace) => void
}

/** A saved place with the menu that changes it. */
export function SavedPlaceRow({ place, onChoose }: Props) {
  const { showNotice } = useSnackbar()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isRenaming, setIsRenaming] = useState(false)
  const Icon = place.is_private ? LockRounded : BookmarkRounded
  const closeMenu = () => setAnchor(null)

  function change(edit: (places: readonly SavedPlace[]) => readonly SavedPlace[]) {
    const owner = sessionState().user?.id
    if (owner !== undefined) void savedPlaces.edit(owner, edit)
  }

  function handleRename(name: string) {
    setIsRenaming(false)
    change((places) => withChangedPlace(places, place.id, { name }))
  }

  function handleRemove() {
    closeMenu()
    change((places) => withoutPlace(places, place.id))
    showNotice(t('pings.savedPlace.removed'))
  }

  return (
    <ListItem
      disablePadding
      secondaryAction={
        <IconButton
          edge="end"
          aria-label={t('pings.savedPlace.menu', { name: place.name })}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <MoreVertRounded />
        </IconButton>
      }
    >
      <ListItemButton onClick={() => onChoose(place)} sx={{ gap: 1.5, minHeight: 56, px: 1.5 }}>
        <Icon aria-hidden fontSize="small" sx={{ color: 'text.secondary' }} />
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography noWrap sx={{ fontWeight: 600 }}>
            <bdi>{place.name}</bdi>
            {place.is_private && <span style={visuallyHidden}>, {t('pings.savedPlace.private')}</span>}
          </Typography>
          <Typography noWrap variant="body2" color="textSecondary">
            {addressOrCoordinates(place)}
          </Typography>
        </Box>
      </ListItemButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={closeMenu}>
        <MenuItem
          onClick={() => {
            closeMenu()
            setIsRenaming(true)
          }}
        >
          {t('pings.savedPlace.rename')}
        </MenuItem>
        <MenuItem
          role="menuitemcheckbox"
          aria-checked={place.is_private}
          onClick={() => change((places) => withChangedPlace(places, place.id, { is_private: !place.is_private }))}
        >
          <Box component="span" sx={{ flex: 1, marginInlineEnd: 2 }}>
            {t('pings.savedPlace.private')}
          </Box>
          <Switch aria-hidden checked={place.is_private} edge="end" slotProps={{ input: { tabIndex: -1 } }} />
        </MenuItem>
        <MenuItem onClick={handleRemove} sx={{ color: 'error.main' }}>
          {t('pings.savedPlace.remove')}
        </MenuItem>
      </Menu>
      <PlaceNameDialog
        open={isRenaming}
        title={t('pings.savedPlace.rename')}
        name={place.name}
        onSave={handleRename}
        onClose={() => setIsRenaming(false)}
      />
    </ListItem>
  )
}
