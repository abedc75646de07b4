#include "check_main.h"
int main(void){return 0;}
