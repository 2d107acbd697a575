// What is shown in the place of a share leads back to it without the key that the address of a sealed one has.
import { keepAddressKey } from '../../browser/sealed/kept-key.ts';

keepAddressKey();
